import { randomBytes } from "node:crypto";
import { instagram } from "@countersign/channels/instagram";
import { messenger } from "@countersign/channels/messenger";
import { twilio } from "@countersign/channels/twilio";
import { whatsapp } from "@countersign/channels/whatsapp";
import type { PlatformName, SimulatedAccount } from "@countersign/chat-simulator";
import type { Channel } from "@countersign/core";

/** The chats of the shop, by the names of their channel accounts. */
export const platformOf: { readonly [account in AccountName]: PlatformName } = {
  shop_whatsapp: "whatsapp",
  shop_twilio: "twilio",
  shop_messenger: "messenger",
  shop_instagram: "instagram",
};

/** The name of one of the shop's channel accounts. */
export type AccountName = "shop_whatsapp" | "shop_twilio" | "shop_messenger" | "shop_instagram";

/** All names, in the order of the phones. */
export const accountNames: readonly AccountName[] = Object.keys(platformOf) as AccountName[];

/** The shop's accounts as the platforms know them, and the channels that reach them. */
export type ShopAccounts = {
  readonly simulated: readonly SimulatedAccount[];
  /** The channels, once it is known where the platforms are and where this server is. */
  channels(platformUrl: string, publicUrl: string): { readonly [account in AccountName]: Channel };
};

const secret = (): string => randomBytes(24).toString("base64url");
const hex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** Makes accounts with fresh secrets. */
export function shopAccounts(): ShopAccounts {
  const meta = { accessToken: secret(), appSecret: hex(16), verifyToken: secret(), appId: "100200300" };
  const { accessToken, appSecret, verifyToken } = meta;
  const secrets = { accessToken, appSecret, verifyToken };
  const phoneNumberId = "300100200300";
  const pageId = "400100200";
  const accountId = "17840000000000001";
  const [accountSid, authToken] = [`AC${hex(16)}`, hex(16)];
  const from = "whatsapp:+15550109998";
  return {
    simulated: [
      {
        platform: "whatsapp",
        ...meta,
        phoneNumberId,
        displayPhoneNumber: "15550109999",
        businessAccountId: "200100200100",
      },
      { platform: "messenger", ...meta, pageId },
      { platform: "instagram", ...meta, accountId },
      { platform: "twilio", accountSid, authToken, from },
    ],
    channels: (platformUrl, publicUrl) => ({
      shop_whatsapp: whatsapp({ phoneNumberId, ...secrets, graphBaseUrl: platformUrl }),
      shop_messenger: messenger({ pageId, ...secrets, graphBaseUrl: platformUrl }),
      shop_instagram: instagram({ accountId, login: "instagram", ...secrets, graphBaseUrl: platformUrl }),
      shop_twilio: twilio({ accountSid, authToken, from, publicUrl, baseUrl: platformUrl }),
    }),
  };
}
