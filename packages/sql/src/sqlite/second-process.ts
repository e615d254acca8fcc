import { createInterface } from "node:readline";
import type { Store } from "@countersign/core";
import { appendOf, proposal } from "@countersign/core/testing";
import { sqliteStore } from "./store.ts";

/** What the tests' second process is told, one JSON text per line. */
export type Order =
  | { readonly type: "open"; readonly file: string }
  | { readonly type: "propose"; readonly name: string; readonly conversations: number };

async function propose(store: Store, name: string, conversations: number): Promise<readonly string[]> {
  const ids = Array.from({ length: conversations }, (_, n) => `wr_${name}_${n}`);
  const results = await Promise.all(
    ids.map((id, n) => store.append(appendOf({ writes: [proposal(id, `c-${n}`)] }))),
  );
  return ids.filter((_, n) => results[n]?.kind === "appended");
}

/**
 * The program of the processes that the tests start: says `"started"`, then does as told and answers each line with one,
 * so that several of them can be let go at the same moment.
 */
async function run(): Promise<void> {
  const say = (answer: unknown): void => {
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  };
  let store: Store | undefined;
  say("started");
  for await (const line of createInterface({ input: process.stdin })) {
    const order: Order = JSON.parse(line);
    if (order.type === "open") {
      store = sqliteStore({ file: order.file });
      await store.ready();
      say("opened");
    } else if (store !== undefined) {
      say(await propose(store, order.name, order.conversations));
    }
  }
}

await run();
