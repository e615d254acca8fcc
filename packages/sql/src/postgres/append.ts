import { randomInt } from "node:crypto";
import type { Append, AppendResult, Clock } from "@countersign/core";
import { appendAlone } from "./append-alone.ts";
import { deliveryCall, keyCall, writeCalls } from "./append-statements.ts";
import type { Item } from "./columns.ts";
import { callAll, type Database } from "./database.ts";
import { explain, isAnswer, isLostRace, unknownOutcome } from "./failures.ts";
import { type GroupCommit, groupCommit, type Outcome } from "./group-commit.ts";
import { lockCall, locksOf } from "./locks.ts";

/** An append under the number that tells it from every other one. */
type Stamped = { readonly append: Append; readonly stamp: number };
type Settle = (index: number, outcome: Outcome<AppendResult>) => void;

// Measured with 64 conversations on two cores: those who are answered together come back together, so without `enough` this
// process and the server take turns, which costs 15 %. More and smaller transactions only take the processor from each other.
const enough = 32;
const mostInFlight = 2;

/** Beyond some dozens sharing gains little, and each append holds locks of which the server has some thousands. */
const mostTogether = 100;

/** Lost races are rare; who loses this many in a row has met something else. */
const mostRaces = 5;

/** How long to wait before asking again what became of an append whose answer was lost: in all, some four seconds. */
const askAgainMs = [0, 50, 250, 1_000, 2_500] as const;

/** One write and what goes with it: what nearly every append is. */
function itemOf({ append, stamp }: Stamped): Item | undefined {
  const { writes, guards, conversations, key, now, erase } = append;
  const [write] = writes;
  const [guard] = guards;
  if (
    write === undefined ||
    erase !== undefined ||
    writes.length > 1 ||
    guards.length > 1 ||
    conversations.length > 0
  )
    return undefined;
  if (guard?.row !== undefined || guard?.customerRef !== undefined) return undefined;
  if (guard !== undefined && guard.conversationId !== write.row.conversationId) return undefined;
  return { write, guardEpoch: guard?.epoch ?? null, key, now, stamp };
}

/** Also those that only the order in this process depends on. */
function namesOf({ append }: Stamped): readonly string[] {
  // Which address a conversation had before, and so gives up now, is not known here: those of chats go one by one.
  const inChat = append.conversations.some(({ channel }) => channel !== null);
  return [
    ...locksOf(append),
    ...append.writes.map(({ row }) => `w${row.id}`),
    ...append.deliveries.map(({ id }) => `d${id}`),
    ...(inChat ? ["a"] : []),
  ];
}

/** Appends, those at the same time together. `committed` is called after each commit, before anyone hears the answer. */
export function prepareAppend(
  database: Database,
  clock: Clock,
  committed: (append: Append) => void,
): { append(append: Append): Promise<AppendResult>; finish(): Promise<void> } {
  let stamp = randomInt(2 ** 47);

  function settleAppended({ append }: Stamped, index: number, settle: Settle): void {
    committed(append);
    settle(index, { answer: { kind: "appended" } });
  }

  async function tryAlone(one: Stamped, lost: boolean): Promise<AppendResult> {
    let answerLost = lost;
    let asked = 0;
    for (let races = 0; ; ) {
      const waitMs = askAgainMs[asked] ?? 0;
      if (answerLost && waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      let sent = false;
      try {
        return await database.use((client) => {
          sent = true;
          return appendAlone(client, one.append, one.stamp, answerLost);
        });
      } catch (error) {
        if (isLostRace(error) && races < mostRaces) {
          races += 1;
          continue;
        }
        if (isAnswer(error) || (!sent && !answerLost)) throw explain(error, database.name);
        answerLost = true;
        asked += 1;
        if (asked >= askAgainMs.length) throw unknownOutcome(error, database.name);
      }
    }
  }

  async function settleAlone(
    one: Stamped,
    index: number,
    settle: Settle,
    answerLost: boolean,
  ): Promise<void> {
    try {
      const answer = await tryAlone(one, answerLost);
      if (answer.kind === "appended") settleAppended(one, index, settle);
      else settle(index, { answer });
    } catch (error) {
      settle(index, { error });
    }
  }

  function commitItems(
    items: readonly Item[],
    together: readonly Stamped[],
  ): Promise<ReadonlySet<string | null>> {
    const writes = writeCalls(items);
    const calls = [lockCall(together.flatMap(({ append }) => locksOf(append))), ...writes];
    const keys = items.flatMap((item) => (item.key === null ? [] : [{ row: item.key, item }]));
    if (keys.length > 0) calls.push(keyCall(keys));
    const deliveries = items.flatMap((item, index) =>
      (together[index]?.append.deliveries ?? []).map((row) => ({ row, item })),
    );
    if (deliveries.length > 0) calls.push(deliveryCall(deliveries));
    return database.use(async (client) => {
      sentNow.add(together);
      const answers = await callAll(client, calls);
      const done = answers.slice(1, 1 + writes.length).flat();
      return new Set(done.map(([id]) => id ?? null));
    });
  }
  const sentNow = new WeakSet<readonly Stamped[]>();

  async function commit(together: readonly Stamped[], settle: Settle): Promise<void> {
    const items = together.map(itemOf).filter((item) => item !== undefined);
    if (items.length < together.length) {
      await Promise.all(together.map((one, index) => settleAlone(one, index, settle, false)));
      return;
    }
    let done: ReadonlySet<string | null> = new Set();
    let answerLost = false;
    try {
      done = await commitItems(items, together);
    } catch (error) {
      if (!sentNow.has(together)) {
        together.forEach((_, index) => {
          settle(index, { error: explain(error, database.name) });
        });
        return;
      }
      // No telling which one it was: each on its own, so that only that one fails.
      answerLost = !isAnswer(error);
    }
    const left: Promise<void>[] = [];
    together.forEach((one, index) => {
      const id = items[index]?.write.row.id ?? null;
      if (done.has(id)) settleAppended(one, index, settle);
      else left.push(settleAlone(one, index, settle, answerLost));
    });
    await Promise.all(left);
  }

  const commits: GroupCommit<Stamped, AppendResult> = groupCommit({
    enough,
    mostTogether,
    mostInFlight,
    namesOf,
    canShare: (one: Stamped) => itemOf(one) !== undefined,
    commit,
  });

  return {
    append(append) {
      stamp += 1;
      return commits.ask({ append, stamp });
    },
    finish: () => commits.finish(),
  };
}
