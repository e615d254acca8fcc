import assert from "node:assert/strict";
import type { Append, AppendResult, Store } from "../../ports/store.ts";

/** A kind of store under test. Whoever runs the cases closes what these opened. */
export type StoreSubject = {
  /** A new, empty store. */
  open(): Promise<Store>;
  /**
   * Opens what `store` holds once more, as another process would, whether `store` is closed or not. Null for a store whose
   * contents nobody else can open: then the cases expect that nobody does.
   */
  readonly reopen: ((store: Store) => Promise<Store>) | null;
};

/** One promise of the store port. `run` rejects when the store breaks it. */
export type StoreCase = { readonly name: string; run(subject: StoreSubject): Promise<void> };

export const appended: AppendResult = { kind: "appended" };

/** Appends one thing after the other and expects that each is appended. */
export async function appendAll(store: Store, appends: readonly Append[]): Promise<void> {
  for (const append of appends) assert.deepEqual(await store.append(append), appended);
}

/** All that can be read of these rows without changing anything. */
export async function look(
  store: Store,
  ids: {
    readonly writes: readonly string[];
    readonly conversations: readonly string[];
    readonly keys: readonly string[];
  },
): Promise<unknown> {
  return {
    writes: await Promise.all(ids.writes.map((id) => store.readWrite(id))),
    listed: await store.listWrites({ limit: 200 }),
    conversations: await Promise.all(ids.conversations.map((id) => store.readConversation(id))),
    keys: await Promise.all(ids.keys.map((key) => store.findKey("bot", key, 0))),
    nextDueAt: await store.nextDueAt(0),
  };
}
