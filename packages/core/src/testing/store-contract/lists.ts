import assert from "node:assert/strict";
import type { Store, WriteFilter } from "../../ports/store.ts";
import { appendOf, proposal } from "../rows.ts";
import { appendAll, type StoreCase } from "./case.ts";

const closed = { open: false } as const;

async function openWithWrites(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  await appendAll(store, [
    appendOf({
      writes: [
        proposal("wr_a", "c-1", {
          ...closed,
          createdAt: 100,
          state: "applied",
          customerRef: "cu_1",
          epoch: 1,
        }),
        proposal("wr_c", "c-1", { ...closed, createdAt: 200, state: "unknown", attention: true, epoch: 2 }),
        proposal("wr_b", "c-2", {
          ...closed,
          createdAt: 200,
          state: "applied",
          tool: "refund",
          customerRef: "cu_2",
        }),
        proposal("wr_e", "c-1", {
          ...closed,
          createdAt: 300,
          state: "declined",
          customerRef: "cu_1",
          epoch: 2,
        }),
        proposal("wr_d", "c-2", { createdAt: 400, tool: "refund", attention: true }),
      ],
    }),
  ]);
  return store;
}

async function listed(store: Store, filter: Partial<WriteFilter>): Promise<readonly string[]> {
  const { rows } = await store.listWrites({ limit: 200, ...filter });
  return rows.map((row) => row.id);
}

/** Follows the cursors to the end. */
async function pages(store: Store, filter: WriteFilter): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Store["listWrites"]>> = await store.listWrites(
      cursor === null ? filter : { ...filter, cursor },
    );
    found.push(page.rows.map((row) => row.id));
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < 50);
  return found;
}

export const lists: readonly StoreCase[] = [
  {
    name: "STORE-15 writes are listed newest first, those of one moment by id",
    async run({ open }) {
      const store = await openWithWrites(open);
      assert.deepEqual(await listed(store, {}), ["wr_d", "wr_e", "wr_c", "wr_b", "wr_a"]);
    },
  },
  {
    name: "STORE-15 each filter restricts the list, and together they restrict it further",
    async run({ open }) {
      const store = await openWithWrites(open);
      assert.deepEqual(await listed(store, { conversationId: "c-1" }), ["wr_e", "wr_c", "wr_a"]);
      assert.deepEqual(await listed(store, { state: "applied" }), ["wr_b", "wr_a"]);
      assert.deepEqual(await listed(store, { tool: "refund" }), ["wr_d", "wr_b"]);
      assert.deepEqual(await listed(store, { attention: true }), ["wr_d", "wr_c"]);
      assert.deepEqual(await listed(store, { createdSince: 300 }), ["wr_d", "wr_e"]);
      assert.deepEqual(await listed(store, { createdSince: 301 }), ["wr_d"]);
      assert.deepEqual(await listed(store, { state: "applied", tool: "refund", conversationId: "c-2" }), [
        "wr_b",
      ]);
      assert.deepEqual(await listed(store, { state: "expired" }), []);
    },
  },
  {
    name: "STORE-16 an owner sees own writes only: a customer those of the ref, nobody yet those of the epoch",
    async run({ open }) {
      const store = await openWithWrites(open);
      assert.deepEqual(await listed(store, { owner: { customerRef: "cu_1" } }), ["wr_e", "wr_a"]);
      assert.deepEqual(await listed(store, { owner: { customerRef: "cu_9" } }), []);
      assert.deepEqual(await listed(store, { conversationId: "c-1", owner: { epoch: 2 } }), ["wr_c"]);
      assert.deepEqual(await listed(store, { conversationId: "c-1", owner: { epoch: 1 } }), []);
      assert.deepEqual(await listed(store, { conversationId: "c-2", owner: { epoch: 0 } }), ["wr_d"]);
    },
  },
  {
    name: "STORE-15 what is still to be told is what is pending, and what settled at the instant or after",
    async run({ open }) {
      const store = await open();
      const settled = { ...closed, state: "applied" } as const;
      const pending = { ...closed, state: "pending" } as const;
      const writes = [
        proposal("wr_a", "c-1", { ...settled, createdAt: 100, settledAt: 199 }),
        proposal("wr_b", "c-1", { ...settled, createdAt: 101, settledAt: 200 }),
        proposal("wr_c", "c-1", { ...pending, createdAt: 102 }),
        proposal("wr_d", "c-1", { ...closed, createdAt: 103, state: "declined", decidedAt: 300 }),
        proposal("wr_e", "c-2", { ...settled, createdAt: 104, settledAt: 300 }),
        proposal("wr_f", "c-2", { ...pending, createdAt: 105 }),
      ];
      await appendAll(store, [appendOf({ writes })]);
      assert.deepEqual(await listed(store, { stillTold: { conversationId: "c-1", since: 200 } }), [
        "wr_c",
        "wr_b",
      ]);
    },
  },
  {
    name: "STORE-17 pages follow each other without gap or repetition, and the last one says so",
    async run({ open }) {
      const store = await openWithWrites(open);
      assert.deepEqual(await pages(store, { limit: 2 }), [["wr_d", "wr_e"], ["wr_c", "wr_b"], ["wr_a"]]);
      assert.deepEqual(await pages(store, { limit: 3 }), [
        ["wr_d", "wr_e", "wr_c"],
        ["wr_b", "wr_a"],
      ]);
      assert.deepEqual(await pages(store, { limit: 5 }), [["wr_d", "wr_e", "wr_c", "wr_b", "wr_a"]]);
      assert.deepEqual(await pages(store, { limit: 1, conversationId: "c-1" }), [
        ["wr_e"],
        ["wr_c"],
        ["wr_a"],
      ]);
    },
  },
  {
    name: "STORE-17 a write that comes in while somebody turns the pages moves nothing",
    async run({ open }) {
      const store = await openWithWrites(open);
      const first = await store.listWrites({ limit: 3 });
      await appendAll(store, [appendOf({ writes: [proposal("wr_z", "c-9", { createdAt: 500 })] })]);
      assert.notEqual(first.nextCursor, null);
      assert.deepEqual(await listed(store, { cursor: first.nextCursor ?? "" }), ["wr_b", "wr_a"]);
    },
  },
  {
    name: "STORE-17 a cursor that no page ended with, and a limit outside of 1 to 200, are rejected",
    async run({ open }) {
      const store = await openWithWrites(open);
      const encoded = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString("base64url");
      for (const cursor of [
        "",
        "x",
        "wr_a",
        encoded([1]),
        encoded(["a", "b"]),
        encoded([1.5, "b"]),
        encoded(null),
      ]) {
        await assert.rejects(store.listWrites({ limit: 1, cursor }), {
          name: "RangeError",
          message: /cursor/,
        });
      }
      for (const limit of [0, 201, 1.5, Number.NaN]) {
        await assert.rejects(store.listWrites({ limit }), { name: "RangeError", message: /limit/ });
      }
      assert.equal((await store.listWrites({ limit: 200 })).rows.length, 5);
    },
  },
];
