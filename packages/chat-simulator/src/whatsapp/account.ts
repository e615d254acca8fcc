/** A template that Meta has approved, in one language. */
export type ApprovedTemplate = {
  readonly name: string;
  readonly language: string;
  /** With `{{1}}`, `{{2}}`, … for its parameters. */
  readonly text: string;
  /** What stands on its quick reply buttons. */
  readonly buttons: readonly string[];
};

/** A business number on the WhatsApp Cloud API. */
export type WhatsAppAccount = {
  readonly platform: "whatsapp";
  readonly phoneNumberId: string;
  /** Digits, with the country code. */
  readonly displayPhoneNumber: string;
  readonly businessAccountId: string;
  readonly appId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly templates?: readonly ApprovedTemplate[];
  /** Fields of webhooks that the app is subscribed to. Default: `messages` and `user_id_update`. */
  readonly fields?: readonly string[];
};
