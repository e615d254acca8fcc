import { graphError } from "../meta/error.ts";
import type { Platform, Surroundings } from "../platform.ts";
import type { InstagramAccount } from "./account.ts";
import { messagingPlatform } from "./platform.ts";

const all = ["messages", "messaging_postbacks", "messaging_seen", "message_reactions"];

/** Instagram for one professional account. Copies of sent messages come in the field of received ones. */
export function instagramPlatform(account: InstagramAccount, around: Surroundings): Platform {
  const own = {
    name: "instagram",
    keys: account,
    inbox: { object: "instagram", accountId: account.accountId },
    nodes: [account.accountId, ...(account.pageId === undefined ? [] : [account.pageId])],
    fields: account.fields ?? all,
    limits: { text: 1000, textUnit: "bytes", quickReplyTitle: "cut" },
    templates: undefined,
    idPrefix: "ig_",
    answers: {
      window_closed: graphError({
        code: 10,
        subcode: 2534022,
        message: "This message is sent outside of allowed window.",
      }),
      unknown_receiver: graphError({
        code: 100,
        subcode: 2534014,
        message: "The requested user cannot be found.",
      }),
    },
    receipt: (what, mids) =>
      what === "read" ? { field: "messaging_seen", what: { read: { mid: mids.at(-1) } } } : undefined,
    me: (id) =>
      account.pageId === undefined
        ? { user_id: id, id: "1000000000000001" }
        : { id: account.pageId, instagram_business_account: { id } },
    echoField: "messages",
  } as const satisfies Parameters<typeof messagingPlatform>[0];
  return messagingPlatform(own, around);
}
