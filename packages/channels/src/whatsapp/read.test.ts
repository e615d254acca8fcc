import { expect, test } from "vitest";
import { metaRequest, whatsappOptions } from "../fixtures.ts";
import { whatsapp } from "./index.ts";

function readValue(value: object, field = "messages"): unknown {
  const metadata = { phone_number_id: whatsappOptions.phoneNumberId };
  const changes = [null, { field, value: { metadata, ...value } }];
  const body = { object: "whatsapp_business_account", entry: [{}, { id: "1", changes }] };
  const reading = whatsapp(whatsappOptions).read(metaRequest(body));
  return reading.kind === "events" ? [reading.events, reading.ignored] : reading;
}

const tap = { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "cs1.k3.c" } } };
const tapped = {
  type: "tap",
  messageId: "wamid.1",
  at: 1767225600000,
  token: "cs1.k3.c",
  payload: "cs1.k3.c",
  label: null,
  providerMessageId: null,
};

test("CHAN-10 what cannot be read does not keep its neighbours from being read", () => {
  const messages = [
    null,
    { from: "15550100200" },
    { id: "wamid.0", ...tap },
    { id: "wamid.0", from: "15550100200", type: "interactive", interactive: { type: "nfm_reply" } },
    { id: "wamid.1", from: "15550100200", timestamp: "1767225600", ...tap },
    { id: "wamid.2", from: "15550100200", type: "text", text: {} },
    { id: "wamid.3", from: "15550100200", type: "system", system: { type: "customer_changed" } },
  ];
  const sender = {
    address: "15550100200",
    aliases: ["15550100200"],
    spellings: [],
    phone: "15550100200",
    userId: null,
  };
  expect(readValue({ messages, statuses: [{}, 4], errors: [] })).toEqual([
    [{ ...tapped, sender }],
    { malformed: 6, sender: 1, kind: 2 },
  ]);
});

test("CHAN-17 a sender has every id that came along, matched by id and not by place, and spellings beside them", () => {
  const contacts = [
    { wa_id: "15550100300", user_id: "US.2" },
    { wa_id: "5215550100200", user_id: "MX.1", parent_user_id: "MX.ENT.9" },
  ];
  const messages = [{ id: "wamid.1", from_user_id: "MX.1", timestamp: "1767225600", ...tap }];
  const sender = {
    address: "MX.1",
    aliases: ["MX.1", "5215550100200", "MX.ENT.9"],
    spellings: ["525550100200"],
    phone: "5215550100200",
    userId: "MX.1",
  };
  expect(readValue({ contacts, messages })).toEqual([[{ ...tapped, sender }], { malformed: 1 }]);
});

test("CHAN-11 a status names its message, its attempt and why it failed", () => {
  const errors = [
    { code: 131047, title: "Re-engagement message", error_data: { details: "To 15550100200: too late." } },
  ];
  const statuses = [
    {
      id: "wamid.1",
      status: "failed",
      timestamp: "1767225600",
      biz_opaque_callback_data: "attempt-1",
      errors,
    },
    { id: "wamid.2", status: "failed", timestamp: "1767225600" },
  ];
  const failure = { waitMs: null, tries: null, alert: false };
  const status = { type: "status", status: "failed", at: 1767225600000 };
  expect(readValue({ statuses })).toEqual([
    [
      {
        ...status,
        providerMessageId: "wamid.1",
        attempt: "attempt-1",
        failure: { ...failure, class: "window_closed", code: "131047", detail: "To …: too late." },
      },
      {
        ...status,
        providerMessageId: "wamid.2",
        attempt: null,
        failure: { ...failure, class: "bad_request", code: null, detail: null },
      },
    ],
    { malformed: 1 },
  ]);
});
