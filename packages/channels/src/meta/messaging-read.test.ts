import { expect, test } from "vitest";
import { instagramOptions, messengerOptions, metaRequest } from "../fixtures.ts";
import { instagram } from "../instagram/index.ts";
import { messenger } from "../messenger/index.ts";

const page = messengerOptions.pageId;
const answer = { status: 200, contentType: "text/plain", body: "" };
const sender = { address: "7001001", aliases: ["7001001"], spellings: [], phone: null, userId: "7001001" };
const postback = (payload: string, mid?: string): object => ({
  sender: { id: "7001001" },
  timestamp: 1767225600000,
  postback: { title: "Confirm", payload, ...(mid === undefined ? {} : { mid }) },
});

function readPage(entry: unknown): unknown {
  return messenger(messengerOptions).read(metaRequest({ object: "page", entry }));
}

test("CHAN-10 what cannot be read does not keep its neighbours from being read", () => {
  const bad = [null, 7, "x", [], {}, { sender: null }, { sender: { id: "7001001" }, message: null }];
  const worse = [
    { sender: { id: "7001001" }, message: { text: "no id" } },
    { sender: { id: "7" }, read: {} },
  ];
  const entry = [
    null,
    { id: page, messaging: [...bad, postback("cs1.k3.c", "m1"), ...worse] },
    { id: page, messaging: {} },
  ];
  expect(readPage(entry)).toEqual({
    kind: "events",
    events: [
      {
        type: "tap",
        messageId: "m1",
        at: 1767225600000,
        sender,
        token: "cs1.k3.c",
        payload: "cs1.k3.c",
        label: "Confirm",
        providerMessageId: null,
      },
    ],
    ignored: { malformed: 7, sender: 3 },
    answer,
  });
});

test("CHAN-7 what our own account or another app says is never a tap", () => {
  const own = { ...postback("cs1.k3.c", "m1"), sender: { id: page } };
  const entry = [
    { id: page, messaging: [own], standby: [postback("cs1.k3.c", "m2")] },
    {
      id: "999",
      messaging: [postback("cs1.k3.c", "m3")],
      changes: [{ field: "messaging_postbacks", value: postback("cs1.k3.c", "m4") }],
    },
    { id: page, changes: [{ field: "feed", value: postback("cs1.k3.c", "m5") }] },
  ];
  expect(readPage(entry)).toEqual({
    kind: "events",
    events: [],
    ignored: { echo: 1, standby: 1, account: 2, field: 1 },
    answer,
  });
});

test("CHAN-10 a webhook of the other platform is none of ours", () => {
  const body = {
    object: "page",
    entry: [{ id: instagramOptions.accountId, messaging: [postback("cs1.k3.c", "m1")] }],
  };
  expect(instagram(instagramOptions).read(metaRequest(body))).toEqual({
    kind: "events",
    events: [],
    ignored: { object: 1 },
    answer,
  });
});

test("CHAN-10 a postback without an id of its own has the same one each time, and shows nothing of its payload", () => {
  const idOf = (payload: string): string => {
    const reading = readPage([{ id: page, messaging: [postback(payload)] }]) as {
      events: [{ messageId: string }];
    };
    return reading.events[0].messageId;
  };
  expect(idOf("cs1.k3.c")).toBe(idOf("cs1.k3.c"));
  expect(idOf("cs1.k3.c")).not.toBe(idOf("cs1.k3.x"));
  expect(idOf("cs1.k3.c")).toMatch(/^[0-9a-f]{32}$/);
});
