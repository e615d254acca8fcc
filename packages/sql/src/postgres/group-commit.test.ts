import { expect, test } from "vitest";
import { type GroupCommit, groupCommit, type Outcome } from "./group-commit.ts";

type Transaction = {
  readonly asked: readonly string[];
  settle(index: number, outcome: Outcome<string>): void;
  /** Settles all of them. */
  end(): void;
};

/** Asks are names separated by spaces; one that ends in "!" shares with nobody. */
function open(): { readonly commits: GroupCommit<string, string>; readonly started: Transaction[] } {
  const started: Transaction[] = [];
  const commits = groupCommit<string, string>({
    enough: 4,
    mostTogether: 5,
    mostInFlight: 2,
    namesOf: (asked) => asked.split(" "),
    canShare: (asked) => !asked.endsWith("!"),
    commit: (asked, settle) =>
      new Promise((resolve) => {
        started.push({
          asked,
          settle,
          end() {
            asked.forEach((one, index) => {
              settle(index, { answer: `did ${one}` });
            });
            resolve();
          },
        });
      }),
  });
  return { commits, started };
}

/** Lets what follows from the last step happen: it may need a turn of the event loop itself. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("STORE-22 what is asked alone does not wait for company, what comes meanwhile goes together", async () => {
  const { commits, started } = open();
  const first = commits.ask("a");
  await Promise.resolve();
  expect(started.map(({ asked }) => asked)).toEqual([["a"]]);
  const others = [commits.ask("b"), commits.ask("c")];
  await turn();
  expect(started.map(({ asked }) => asked)).toEqual([["a"], ["b", "c"]]);
  for (const transaction of started) transaction.end();
  expect(await Promise.all([first, ...others])).toEqual(["did a", "did b", "did c"]);
});

test("STORE-22 enough for a transaction goes at once, and no more are in flight than may be", async () => {
  const { commits, started } = open();
  const asked = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((one) => commits.ask(one));
  expect(started.map((transaction) => transaction.asked)).toEqual([
    ["a", "b", "c", "d"],
    ["e", "f", "g", "h"],
  ]);
  await turn();
  expect(started.length).toBe(2);
  started[0]?.end();
  await turn();
  expect(started[2]?.asked).toEqual(["i", "j"]);
  started[1]?.end();
  started[2]?.end();
  expect((await Promise.all(asked)).length).toBe(10);
});

test("STORE-22 what shares a name with something under way or asked before waits for it, and only that", async () => {
  const { commits, started } = open();
  const asked = ["a", "a b", "b", "c"].map((one) => commits.ask(one));
  await turn();
  expect(started.map((transaction) => transaction.asked)).toEqual([["a", "c"]]);
  started[0]?.end();
  await turn();
  expect(started[1]?.asked).toEqual(["a b"]);
  started[1]?.end();
  await turn();
  expect(started[2]?.asked).toEqual(["b"]);
  started[2]?.end();
  expect(await Promise.all(asked)).toEqual(["did a", "did a b", "did b", "did c"]);
});

test("STORE-22 what shares with nobody goes by itself", async () => {
  const { commits, started } = open();
  const asked = ["a", "b !", "c"].map((one) => commits.ask(one));
  await turn();
  expect(started.map((transaction) => transaction.asked)).toEqual([["a", "c"], ["b !"]]);
  for (const transaction of started) transaction.end();
  expect(await Promise.all(asked)).toEqual(["did a", "did b !", "did c"]);
});

test("STORE-23 one that fails rejects alone, and what waits for its name goes as soon as it is settled", async () => {
  const { commits, started } = open();
  const results = Promise.allSettled(["a", "b", "a"].map((one) => commits.ask(one)));
  await turn();
  started[0]?.settle(0, { error: new Error("refused") });
  commits.ask("d").catch(() => undefined);
  await turn();
  expect(started[1]?.asked).toEqual(["a", "d"]);
  started[0]?.settle(1, { answer: "did b" });
  started[1]?.end();
  expect(await results).toEqual([
    { status: "rejected", reason: new Error("refused") },
    { status: "fulfilled", value: "did b" },
    { status: "fulfilled", value: "did a" },
  ]);
});

test("STORE-22 finishing waits for all that was asked", async () => {
  const { commits, started } = open();
  await commits.finish();
  const asked = [commits.ask("a"), commits.ask("a")];
  let finished = false;
  const finishing = commits.finish().then(() => {
    finished = true;
  });
  await turn();
  started[0]?.end();
  await turn();
  expect(finished).toBe(false);
  started[1]?.end();
  await finishing;
  expect(await Promise.all(asked)).toEqual(["did a", "did a"]);
});
