/** A content that Twilio and Meta have approved, to be sent at any time. */
export type ApprovedContent = {
  readonly contentSid: string;
  readonly language: string;
  /** With `{{1}}`, `{{2}}`, … for its variables. */
  readonly text: string;
  /** Each with its title and its id, which may hold a variable. */
  readonly buttons: readonly { readonly title: string; readonly id: string }[];
};

/** A WhatsApp sender at Twilio. */
export type TwilioAccount = {
  readonly platform: "twilio";
  readonly accountSid: string;
  readonly authToken: string;
  /** Signs webhooks in place of the auth token. */
  readonly sharedKey?: string;
  /** `whatsapp:+` and the digits. */
  readonly from: string;
  readonly contents?: readonly ApprovedContent[];
};
