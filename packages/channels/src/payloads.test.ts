import { readdirSync, readFileSync } from "node:fs";
import type { InboundEvent, Reading, Sender, SendFailure } from "@countersign/core";
import { expect, test } from "vitest";
import {
  instagramOptions,
  messengerOptions,
  metaRequest,
  twilioOptions,
  twilioRequest,
  whatsappOptions,
} from "./fixtures.ts";
import { instagram } from "./instagram/index.ts";
import { messenger } from "./messenger/index.ts";
import { twilio } from "./twilio/index.ts";
import { whatsapp } from "./whatsapp/index.ts";

const folder = new URL("../fixtures/", import.meta.url);

const readers: { readonly [platform: string]: (text: string) => Reading } = {
  whatsapp: (text) => whatsapp(whatsappOptions).read(metaRequest(text)),
  messenger: (text) => messenger(messengerOptions).read(metaRequest(text)),
  instagram: (text) => instagram(instagramOptions).read(metaRequest(text)),
  "twilio-whatsapp": (text) => twilio(twilioOptions).read(twilioRequest(JSON.parse(text))),
  "twilio-messenger": (text) => twilio(twilioOptions).read(twilioRequest(JSON.parse(text))),
};

const newYear = Date.UTC(2026, 0, 1);
const second = (at: number | null): string => (at === null ? "-" : `+${(at - newYear) / 1000}`);
const who = ({ address, aliases }: Sender): string =>
  [address, ...aliases.filter((id) => id !== address)].join("=");
const why = (failure: SendFailure | null): string => (failure ? ` ${failure.class} ${failure.code}` : "");

/** An event in one line. */
function told(event: InboundEvent): string {
  switch (event.type) {
    case "tap": {
      const { messageId, at, sender, token, payload, label, providerMessageId } = event;
      return `${messageId} ${second(at)} tap ${token ?? `none (${payload})`} “${label}” by ${who(sender)} on ${providerMessageId}`;
    }
    case "message": {
      const { messageId, at, sender, text, providerMessageId } = event;
      return `${messageId} ${second(at)} message “${text}” by ${who(sender)} on ${providerMessageId}`;
    }
    case "status":
      return `${event.providerMessageId} ${second(event.at)} ${event.status}${why(event.failure)}`;
    case "watermark":
      return `until ${second(event.until)} ${event.status} by ${who(event.sender)}`;
    case "identity_changed":
      return `${event.messageId} ${second(event.at)} ${event.former.join("=")} is now ${event.current.join("=")}`;
    case "account_trouble":
      return `account${why(event.failure)}`;
  }
}

const expected: { readonly [file: string]: readonly [events: readonly string[], ignored: object] } = {
  "instagram/comment_change.json": [[], { field: 1 }],
  "instagram/deleted.json": [[], { kind: 1 }],
  "instagram/echo.json": [[], { echo: 1 }],
  "instagram/postback.json": [["ig_pb0001 +0 tap cs1.k3.c “Confirm” by 910010020030 on null"], {}],
  "instagram/postback_changes_shape.json": [
    ["ig_pb0002 +0 tap cs1.k3.c “Confirm” by 910010020030 on null"],
    {},
  ],
  "instagram/quick_reply.json": [["ig_qr0001 +0 tap cs1.k3.c “Confirm” by 910010020030 on null"], {}],
  "instagram/reaction.json": [[], { kind: 1 }],
  "instagram/seen.json": [["ig_out0001 +0 read"], {}],
  "instagram/story_mention.json": [[], { kind: 1 }],
  "instagram/unsupported.json": [[], { kind: 1 }],
  "messenger/batch_two_entries_duplicate.json": [
    ["m_pb0003 +0 tap cs1.k3.c “Confirm” by 7001001 on null"],
    { duplicate: 1 },
  ],
  "messenger/delivery.json": [["m_out0001 +0 delivered", "until +0.5 delivered by 7001001"], {}],
  "messenger/delivery_watermark_only.json": [["until +0.5 delivered by 7001001"], {}],
  "messenger/echo.json": [[], { echo: 1 }],
  "messenger/empty_event.json": [[], { kind: 1 }],
  "messenger/handover.json": [[], { kind: 1 }],
  "messenger/message_edit.json": [[], { kind: 1 }],
  "messenger/postback.json": [["m_pb0001 +0 tap cs1.k3.c “Confirm” by 7001001 on null"], {}],
  "messenger/postback_changes_shape.json": [["m_pb0002 +0 tap cs1.k3.c “Confirm” by 7001001 on null"], {}],
  "messenger/postback_no_mid_with_referral.json": [
    ["9401bf722faebfd1169cd34c06042ad3 +0 tap none (GET_STARTED) “Get Started” by 7001001 on null"],
    {},
  ],
  "messenger/postback_standby_no_payload.json": [[], { standby: 1 }],
  "messenger/quick_reply.json": [["m_qr0001 +0 tap cs1.k3.c “Confirm” by 7001001 on null"], {}],
  "messenger/read.json": [["until +0.9 read by 7001001"], {}],
  "messenger/text_same_as_title.json": [["m_tx0001 +0 message “Confirm” by 7001001 on null"], {}],
  "messenger/user_ref_sender.json": [[], { sender: 1 }],
  "twilio-messenger/text_is_button_title.json": [[], { account: 1 }],
  "twilio-whatsapp/button_session.json": [
    [
      "SM00000000000000000000000000000001 - tap cs1.k3.c “Confirm” by whatsapp:+15550100200=whatsapp:US.90000000000000000001 on MM00000000000000000000000000000009",
    ],
    {},
  ],
  "twilio-whatsapp/button_template.json": [
    [
      "SM00000000000000000000000000000002 - tap cs1.k3.c “Confirm” by whatsapp:+15550100200 on MM00000000000000000000000000000009",
    ],
    {},
  ],
  "twilio-whatsapp/button_text_only.json": [
    ["SM00000000000000000000000000000003 - tap none () “Confirm” by whatsapp:+15550100200 on null"],
    {},
  ],
  "twilio-whatsapp/emoji_and_empty.json": [
    ["SM00000000000000000000000000000006 - message “Sí 👍 a&b=c” by whatsapp:+15550100200 on null"],
    {},
  ],
  "twilio-whatsapp/from_bsuid.json": [
    [
      "SM00000000000000000000000000000004 - tap cs1.k3.c “Confirm” by whatsapp:US.90000000000000000001 on null",
    ],
    {},
  ],
  "twilio-whatsapp/status_63016.json": [
    ["MM00000000000000000000000000000009 - failed window_closed 63016"],
    {},
  ],
  "twilio-whatsapp/status_63018.json": [
    ["MM00000000000000000000000000000009 - failed retry_later 63018"],
    {},
  ],
  "twilio-whatsapp/status_63024.json": [
    ["MM00000000000000000000000000000009 - failed undeliverable 63024"],
    {},
  ],
  "twilio-whatsapp/status_delivered.json": [["MM00000000000000000000000000000009 - delivered"], {}],
  "twilio-whatsapp/status_read.json": [["MM00000000000000000000000000000009 - read"], {}],
  "twilio-whatsapp/text_confirm.json": [
    ["SM00000000000000000000000000000005 - message “confirm” by whatsapp:+15550100200 on null"],
    {},
  ],
  "whatsapp/batch_mixed.json": [
    [
      "wamid.IN0007 +6 message “wait” by 15550100200=US.90000000000000000001 on null",
      "wamid.IN0008 +7 tap cs1.k3.c “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
      "wamid.IN0009 +7 tap cs1.k4.x “Cancel” by 15550100300=US.90000000000000000002 on wamid.OUTBOUNDCONFIRM0002",
      "wamid.OUTBOUNDCONFIRM0001 +6 read",
    ],
    { field: 1 },
  ],
  "whatsapp/both_buttons_race.json": [
    [
      "wamid.IN0011 +9 tap cs1.k3.x “Cancel” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
      "wamid.IN0012 +9 tap cs1.k3.c “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/button_reply_bsuid_in_from.json": [
    ["wamid.IN0004 +3 tap cs1.k3.c “Confirm” by US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001"],
    {},
  ],
  "whatsapp/button_reply_confirm.json": [
    [
      "wamid.IN0001 +0 tap cs1.k3.c “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/button_reply_no_context.json": [
    ["wamid.IN0002 +1 tap cs1.k3.x “Cancel” by 15550100200=US.90000000000000000001 on null"],
    {},
  ],
  "whatsapp/button_reply_username_only.json": [
    [
      "wamid.IN0003 +2 tap cs1.k3.c “Confirm” by US.90000000000000000001=US.ENT.90000000000000000009 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/dashboard_test_sample.json": [[], { account: 1 }],
  "whatsapp/duplicate_in_one_post.json": [
    [
      "wamid.IN0010 +8 tap cs1.k3.c “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    { duplicate: 1 },
  ],
  "whatsapp/forwarded_text.json": [
    ["wamid.IN0017 +14 message “Confirm” by 15550100200=US.90000000000000000001 on null"],
    {},
  ],
  "whatsapp/reaction_removed.json": [[], { kind: 1 }],
  "whatsapp/referral_text.json": [
    ["wamid.IN0018 +15 message “Hi” by 15550100200=US.90000000000000000001 on null"],
    {},
  ],
  "whatsapp/revoke.json": [[], { kind: 1 }],
  "whatsapp/status_delivered_after_read.json": [
    ["wamid.OUTBOUNDCONFIRM0001 +3 read", "wamid.OUTBOUNDCONFIRM0001 +2 delivered"],
    {},
  ],
  "whatsapp/status_failed_131026_bsuid.json": [
    ["wamid.OUTBOUNDCONFIRM0001 +4 failed undeliverable 131026"],
    {},
  ],
  "whatsapp/status_failed_131047_window.json": [
    ["wamid.OUTBOUNDCONFIRM0001 +4 failed window_closed 131047"],
    {},
  ],
  "whatsapp/status_played_unknown.json": [[], { status: 1 }],
  "whatsapp/status_sent.json": [["wamid.OUTBOUNDCONFIRM0001 +1 sent"], {}],
  "whatsapp/system_user_changed_number.json": [
    ["wamid.IN0019 +16 15550100200=US.90000000000000000001 is now 15550100999=US.90000000000000000077"],
    {},
  ],
  "whatsapp/template_button.json": [
    [
      "wamid.IN0005 +4 tap cs1.k3.c “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/template_button_payload_is_label.json": [
    [
      "wamid.IN0006 +5 tap none (Confirm) “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/text_quoting_prompt.json": [
    [
      "wamid.IN0016 +13 message “yes do it” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/timestamp_millis.json": [
    [
      "wamid.IN0020 +0 tap cs1.k3.c “Confirm” by 15550100200=US.90000000000000000001 on wamid.OUTBOUNDCONFIRM0001",
    ],
    {},
  ],
  "whatsapp/unsupported.json": [[], { kind: 1 }],
  "whatsapp/user_id_update.json": [
    ["f633b921bf8eee46b7b43084e9cd6079 +17 US.90000000000000000001 is now US.90000000000000000077"],
    {},
  ],
  "whatsapp/value_errors.json": [["account retry_later 130429"], {}],
};

test("CHAN-10 every recorded webhook is read as what it is, and what is not for us is counted", () => {
  const files = readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".json"));
  const read = files.map((file) => {
    const platform = file.slice(0, file.indexOf("/"));
    const reading = readers[platform]?.(readFileSync(new URL(file, folder), "utf8"));
    return [file, reading?.kind === "events" ? [reading.events.map(told), reading.ignored] : reading];
  });
  expect(Object.fromEntries(read)).toEqual(expected);
});
