import { graphError } from "../meta/error.ts";
import type { Platform, Surroundings } from "../platform.ts";
import type { MessengerAccount } from "./account.ts";
import { messagingPlatform } from "./platform.ts";

const all = ["messages", "messaging_postbacks", "message_deliveries", "message_reads", "message_reactions"];

/** Messenger for one page. */
export function messengerPlatform(account: MessengerAccount, around: Surroundings): Platform {
  const own = {
    name: "messenger",
    keys: account,
    inbox: { object: "page", accountId: account.pageId },
    nodes: [account.pageId],
    fields: account.fields ?? [...all, "message_echoes"],
    limits: { text: 2000, textUnit: "characters", quickReplyTitle: "refused" },
    templates: account.templates ?? [],
    idPrefix: "m_",
    answers: {
      window_closed: graphError({
        code: 10,
        subcode: 2018278,
        message: "This message is sent outside of allowed window.",
      }),
      unknown_receiver: graphError({ code: 100, subcode: 2018001, message: "No matching user found" }),
    },
    receipt: (what, mids, at) =>
      what === "delivered"
        ? { field: "message_deliveries", what: { delivery: { mids, watermark: at } } }
        : { field: "message_reads", what: { read: { watermark: at } } },
    me: (id) => ({ id, name: "The shop" }),
    echoField: "message_echoes",
  } as const satisfies Parameters<typeof messagingPlatform>[0];
  return messagingPlatform(own, around);
}
