import assert from "node:assert/strict";
import type { Append, Store, StoreChange, WriteAppend, WriteRow } from "../../ports/store.ts";
import {
  appendOf,
  contactRow,
  conversationRow,
  deliveryRow,
  inboxRow,
  journalRow,
  keyRow,
  nextStep,
  plainRow,
  promptRow,
  proposal,
} from "../rows.ts";
import { appendAll, appended, look, type StoreCase } from "./case.ts";

const erase = { customerId: "customer-1", customerRef: "cu_1" };

const own = { state: "applied", open: false, customerRef: "cu_1" } as const;
const first = proposal("wr_1", "c-1", own);
const second = proposal("wr_2", "c-left", own);
const strange = proposal("wr_other", "c-other", { ...own, customerRef: "cu_2" });

const prompts = [
  promptRow("t-1"),
  promptRow("t-2", { writeId: "wr_2", providerMessageId: "m-2" }),
  promptRow("t-other", { writeId: "wr_other" }),
] as const;

/** Who has the address of a conversation that the customer leaves, under every id. */
const known = [
  contactRow("555-0101", { userId: "u-1" }),
  contactRow("555-0102"),
  contactRow("u-1", { userId: "u-1" }),
  contactRow("555-0109", { account: "other shop", userId: "u-1" }),
  contactRow("555-0101", { account: "other shop" }),
];
const others = [
  contactRow("555-0103", { userId: "u-3" }),
  contactRow("u-3", { userId: "u-3" }),
  contactRow("555-0104"),
  contactRow("1555-0101"),
];

function findContacts(store: Store): Promise<readonly unknown[]> {
  return Promise.all(
    [...known, ...others].map(({ account, address }) => store.findContact(account, address)),
  );
}

/** A customer with two writes, one of them in a conversation they have left, beside another customer. */
async function openWithCustomers(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  assert.equal(await store.customerRefOf("customer-1", "cu_1"), "cu_1");
  assert.equal(await store.customerRefOf("customer-2", "cu_2"), "cu_2");
  const present = { epoch: 4, customerRef: "cu_1", level: "high", authenticatedAt: 7, locale: "de" } as const;
  await appendAll(store, [
    appendOf({
      conversations: [
        conversationRow("c-1", { ...present, channel: "shop", address: "555-0101" }),
        conversationRow("c-idle", present),
        conversationRow("c-left", { epoch: 2, channel: "shop", address: "555-0102", locale: "de" }),
        conversationRow("c-other", { customerRef: "cu_2", channel: "shop", address: "555-0103" }),
        conversationRow("c-nobody", { channel: "shop", address: "555-0104" }),
      ],
      writes: [first, second, strange],
      key: keyRow("k-write", { writeId: "wr_1", customerRef: "cu_1" }),
      deliveries: [
        deliveryRow("d-1", { writeId: "wr_2" }),
        deliveryRow("d-2", { body: '{"to":"555-0101"}' }),
        deliveryRow("d-3", { body: '{"customer":"customer-1"}' }),
        deliveryRow("d-4", { writeId: "wr_other", body: '{"to":"1555-0101","customer":"customer-11"}' }),
      ],
    }),
    appendOf({ key: keyRow("k-rebound", { writeId: "wr_1" }) }),
    appendOf({ key: keyRow("k-other", { writeId: "wr_other", customerRef: "cu_2" }) }),
  ]);
  assert.equal(
    await store.claimKey(keyRow("k-read", { customerRef: "cu_1", answer: '{"total":7}' }), 0),
    "claimed",
  );
  await store.receive(inboxRow("m-1", { body: '{"from":"555-0101","text":"yes"}' }), null);
  for (const prompt of prompts) await store.putPrompt(prompt);
  await store.putContacts([...known, ...others]);
  return store;
}

const erased = (row: WriteRow): WriteAppend => nextStep(row);

const erasing: Append = appendOf({ writes: [erased(first.row), erased(second.row)], erase });

function everything(store: Store): Promise<unknown> {
  return Promise.all([
    look(store, {
      writes: ["wr_1", "wr_2", "wr_other"],
      conversations: ["c-1", "c-idle", "c-left", "c-other", "c-nobody"],
      keys: ["k-write", "k-rebound", "k-read", "k-other"],
    }),
    store.findCustomerRef("customer-1"),
    store.findCustomerId("cu_1"),
    Promise.all(prompts.map(({ token }) => store.findPrompt(token))),
    findContacts(store),
  ]);
}

export const erasure: readonly StoreCase[] = [
  {
    name: "STORE-33 an erased customer's plain values go, and the journals stay whole",
    async run({ open }) {
      const store = await openWithCustomers(open);
      const other = await store.readWrite("wr_other");
      assert.deepEqual(await store.append(erasing), appended);
      for (const write of [first, second]) {
        const next = erased(write.row);
        assert.deepEqual(await store.readWrite(write.row.id), {
          row: next.row,
          events: [journalRow(write.row.id, 1), journalRow(write.row.id, 2)],
          plains: [],
        });
      }
      assert.deepEqual(await store.readWrite("wr_other"), other);
    },
  },
  {
    name: "STORE-33 an erased customer has no ref any more, and gets a new one the next time",
    async run({ open }) {
      const store = await openWithCustomers(open);
      assert.equal(await store.findCustomerRef("customer-1"), "cu_1");
      assert.deepEqual(await store.append(erasing), appended);
      assert.equal(await store.findCustomerRef("customer-1"), undefined);
      assert.equal(await store.findCustomerId("cu_1"), undefined);
      assert.equal(await store.customerRefOf("customer-1", "cu_new"), "cu_new");
      assert.equal(await store.findCustomerRef("customer-2"), "cu_2");
    },
  },
  {
    name: "STORE-33 an erased customer leaves every conversation, and takes along no other's address",
    async run({ open }) {
      const store = await openWithCustomers(open);
      assert.deepEqual(await store.append(erasing), appended);
      const ids = ["c-1", "c-idle", "c-left", "c-other", "c-nobody"];
      const found = await Promise.all(ids.map((id) => store.readConversation(id)));
      assert.deepEqual(
        found.map(({ conversation }) => conversation),
        [
          conversationRow("c-1", { epoch: 5 }),
          conversationRow("c-idle", { epoch: 5 }),
          conversationRow("c-left", { epoch: 2, locale: "de" }),
          conversationRow("c-other", { customerRef: "cu_2", channel: "shop", address: "555-0103" }),
          conversationRow("c-nobody", { channel: "shop", address: "555-0104" }),
        ],
      );
      const addresses = ["555-0101", "555-0102", "555-0103", "555-0104"];
      const owners = await Promise.all(addresses.map((at) => store.findConversationByAddress("shop", at)));
      assert.deepEqual(
        owners.map((owner) => owner?.id),
        [undefined, undefined, "c-other", "c-nobody"],
      );
    },
  },
  {
    name: "STORE-33 an erased customer's keys fit no call any more, and those of a read are free",
    async run({ open }) {
      const store = await openWithCustomers(open);
      assert.deepEqual(await store.append(erasing), appended);
      const names = ["k-write", "k-rebound", "k-read", "k-other"];
      assert.deepEqual(await Promise.all(names.map((key) => store.findKey("bot", key, 1_000))), [
        keyRow("k-write", { writeId: "wr_1", fingerprint: "" }),
        keyRow("k-rebound", { writeId: "wr_1", fingerprint: "" }),
        undefined,
        keyRow("k-other", { writeId: "wr_other", customerRef: "cu_2" }),
      ]);
    },
  },
  {
    name: "STORE-33 nothing is sent any more that was meant for an erased customer or names them",
    async run({ open }) {
      const store = await openWithCustomers(open);
      assert.deepEqual(await store.append(erasing), appended);
      const taken = await store.takeDeliveries({ now: 9_000, limit: 9, leaseMs: 1 });
      assert.deepEqual(
        taken.map(({ id }) => id),
        ["d-4"],
      );
      assert.equal(await store.receive(inboxRow("m-1"), null), false);
    },
  },
  {
    name: "STORE-33 the prompts of an erased customer's writes go, and no other's",
    async run({ open }) {
      const store = await openWithCustomers(open);
      assert.deepEqual(await store.append(erasing), appended);
      const [, , other] = prompts;
      assert.deepEqual(await Promise.all(prompts.map(({ token }) => store.findPrompt(token))), [
        undefined,
        undefined,
        other,
      ]);
      assert.equal(await store.findPromptByMessage("shop", "m-2"), undefined);
      const lists = await Promise.all(["wr_1", "wr_2", "wr_other"].map((id) => store.listPrompts(id)));
      assert.deepEqual(lists, [[], [], [other]]);
    },
  },
  {
    name: "STORE-33 who has an address that went with an erased customer is known under no id any more, and others are",
    async run({ open }) {
      const store = await openWithCustomers(open);
      assert.deepEqual(await findContacts(store), [...known, ...others]);
      assert.deepEqual(await store.append(erasing), appended);
      assert.deepEqual(await findContacts(store), [...known.map(() => undefined), ...others]);
    },
  },
  {
    name: "STORE-33 what came in and names an erased customer only by another of their ids goes too, and nobody else's",
    async run({ open }) {
      const store = await openWithCustomers(open);
      await store.receive(inboxRow("m-user"), deliveryRow("d-user", { body: '{"from":"u-1"}' }));
      await store.receive(inboxRow("m-other"), deliveryRow("d-other", { body: '{"from":"u-3"}' }));
      assert.deepEqual(await store.append(erasing), appended);
      const left = await store.takeDeliveries({ now: 1e12, limit: 50, leaseMs: 1 });
      assert.deepEqual(
        left.map(({ id }) => id).filter((id) => id === "d-user" || id === "d-other"),
        ["d-other"],
      );
    },
  },
  {
    name: "STORE-33 an erasure that misses a write of the customer, or the customer, conflicts and changes nothing",
    async run({ open }) {
      const store = await openWithCustomers(open);
      const before = await everything(store);
      const lost = { kind: "conflict", on: "customer" };
      const appends = [
        { ...erasing, writes: [erased(first.row)] },
        appendOf({ erase }),
        { ...erasing, erase: { ...erase, customerId: "customer-2" } },
        { ...erasing, erase: { ...erase, customerId: "customer-3" } },
      ];
      for (const append of appends) assert.deepEqual(await store.append(append), lost);
      assert.deepEqual(await everything(store), before);
      assert.deepEqual(await store.append(erasing), appended);
      assert.deepEqual(await store.append(erasing), lost);
    },
  },
  {
    name: "STORE-33 an erasure on an older state of a write conflicts and changes nothing",
    async run({ open }) {
      const store = await openWithCustomers(open);
      const third = { ...nextStep(first.row), plains: [plainRow("wr_1", 2)] };
      await appendAll(store, [appendOf({ writes: [third] })]);
      const before = await everything(store);
      assert.deepEqual(await store.append(erasing), { kind: "conflict", on: "seq" });
      assert.deepEqual(await everything(store), before);
    },
  },
  {
    name: "STORE-33 an erasure that holds somebody else's write is rejected and changes nothing",
    async run({ open }) {
      const store = await openWithCustomers(open);
      const before = await everything(store);
      const writes = [...erasing.writes, erased(strange.row)];
      await assert.rejects(store.append({ ...erasing, writes }), { name: "IntegrityError" });
      assert.deepEqual(await everything(store), before);
    },
  },
  {
    name: "STORE-33 an erasure is told to listeners as a change that may be anywhere",
    async run({ open }) {
      const store = await openWithCustomers(open);
      const heard: StoreChange[] = [];
      store.watch((change) => heard.push(change));
      await appendAll(store, [erasing]);
      assert.ok(heard.some(({ conversationId }) => conversationId === null));
    },
  },
];
