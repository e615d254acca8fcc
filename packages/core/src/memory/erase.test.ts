import { expect, test } from "vitest";
import {
  appendOf,
  contactRow,
  conversationRow,
  deliveryRow,
  inboxRow,
  keyRow,
  nextStep,
  plainRow,
  promptRow,
  proposal,
} from "../testing/rows.ts";
import { appendTo } from "./append.ts";
import { emptyTables, pair } from "./tables.ts";

test("OPS-4 nothing of an erased customer stands in the memory store's tables", () => {
  const tables = emptyTables();
  const text = (value: unknown): string =>
    JSON.stringify(value, (_name, part: unknown) => (part instanceof Map ? [...part] : part));
  tables.customers.set("canary-id", "cu_1");
  tables.customerIds.set("cu_1", "canary-id");
  tables.inbox.set(pair("shop", "m-1"), inboxRow("m-1", { body: '{"from":"canary-555"}' }));
  tables.keys.set(pair("bot", "k-1"), keyRow("k-1", { customerRef: "cu_1", answer: '"canary"' }));
  tables.prompts.set("t-1", promptRow("t-1", { address: "canary-555", aliases: ["canary-555", "canary-u"] }));
  for (const address of ["canary-555", "canary-u"])
    tables.contacts.set(pair("shop", address), contactRow(address, { userId: "canary-u" }));
  const own = { state: "applied", open: false, customerRef: "cu_1" } as const;
  const first = { ...proposal("wr_1", "c-1", own), plains: [plainRow("wr_1", 1, { args: '"canary"' })] };
  const canary = { customerRef: "cu_1", channel: "shop", address: "canary-555", locale: "en" };
  const before = appendTo(
    tables,
    appendOf({
      conversations: [conversationRow("c-1", canary)],
      writes: [first],
      key: keyRow("k-2", { writeId: "wr_1", fingerprint: "canary" }),
      deliveries: [deliveryRow("d-1", { writeId: "wr_1", body: '{"text":"canary"}' })],
    }),
  );
  expect([before.kind, text(tables).split("canary").length]).toEqual(["appended", 19]);
  const erase = { customerId: "canary-id", customerRef: "cu_1" };
  const after = appendTo(tables, appendOf({ writes: [nextStep(first.row)], erase }));
  expect([after.kind, text(tables).includes("canary")]).toEqual(["appended", false]);
});
