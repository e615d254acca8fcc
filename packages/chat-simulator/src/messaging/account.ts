import type { ApprovedTemplate } from "../whatsapp/account.ts";

type MetaAccount = {
  readonly appId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Fields of webhooks that app and account are subscribed to. Default: all that there are for messages. */
  readonly fields?: readonly string[];
};

/** A page in Messenger. */
export type MessengerAccount = MetaAccount & {
  readonly platform: "messenger";
  readonly pageId: string;
  /** Approved utility messages. */
  readonly templates?: readonly ApprovedTemplate[];
};

/** An Instagram professional account; with `pageId` where one logs in through Facebook. */
export type InstagramAccount = MetaAccount & {
  readonly platform: "instagram";
  readonly accountId: string;
  readonly pageId?: string;
};
