import type { Card, CardSession, Store } from "@countersign/core";
import { type Chance, chance } from "./chance.ts";
import { type Around, toolsOf } from "./handlers.ts";
import { type Ask, hearing } from "./hearing.ts";
import { type Blame, ViolationError } from "./invariants.ts";
import { type Ledger, type LedgerWrite, ledger } from "./ledger.ts";
import { type Doings, doings } from "./presses.ts";
import { type Fault, madeUp, type Process, startProcess } from "./process.ts";
import { type Provider, provider } from "./provider.ts";
import { type Schedule, schedule } from "./schedule.ts";
import { type Time, time } from "./time.ts";

/** A card page that somebody opened, and what it shows. */
export type Screen = { readonly session: CardSession; readonly person: string; card: Card | null };

/** Who asks, and about which conversation. */
export type About = { readonly conversationId: string | null; readonly person?: string };

/** Where a run takes place: processes on one store, people before their screens, the provider, and all checks. */
export type Stage = {
  readonly base: Store;
  readonly name: string;
  readonly draw: Chance;
  readonly time: Time;
  readonly order: Schedule;
  readonly provider: Provider;
  readonly book: Ledger;
  readonly doings: Doings;
  readonly around: Around;
  readonly screens: Screen[];
  readonly running: Process[];
  readonly counts: { calls: number; crashes: number; unknown: number };
  readonly blame: Blame;
  /** Throws the first violation that was found. */
  raise(): void;
  presentIn(conversationId: string): string;
  /** Asks a process something and checks the answer, whenever it comes. */
  request<Answer>(
    process: Process,
    by: Ask["by"],
    about: About,
    question: () => Promise<Answer>,
    hear?: (answer: Answer) => void,
  ): Promise<void>;
  /** Ends a process in the middle of whatever it does, and starts another in its place. */
  crash(process: Process): void;
};

const processes = 3;

export function stage(base: Store, name: string, fault: Fault): Stage {
  const store = fault.store ? fault.store(base) : base;
  const draw = chance(1);
  const now = time(Date.UTC(2026, 10, 30));
  const customers = new Map<string, string>();
  const asked = new Set<{ readonly ask: Ask; readonly process: Process }>();
  const counts = { calls: 0, crashes: 0, unknown: 0 };
  let violation: ViolationError | undefined;

  const blame: Blame = (invariant, what) => {
    violation ??= new ViolationError(invariant, what);
  };
  const raise = (): void => {
    if (violation) throw violation;
  };
  const visitorOf = (conversationId: string, epoch: number): string => `visitor-${conversationId}-${epoch}`;

  function personOf({
    principal,
    conversationId,
  }: Pick<LedgerWrite, "principal" | "conversationId">): string {
    if (principal.kind === "operator") return "operator";
    const { customerRef, epoch } = principal;
    return customerRef === null
      ? visitorOf(conversationId, epoch)
      : (customers.get(customerRef) ?? "somebody");
  }
  function presentIn(conversationId: string): string {
    const { customerRef = null, epoch = 0 } = book.conversations.get(conversationId) ?? {};
    return personOf({ principal: { kind: "customer", customerRef, epoch }, conversationId });
  }

  const shop = provider((key) => done.made(key));
  const done = doings({ blame, provider: shop, ledger: () => book, personOf });
  const book: Ledger = ledger(blame, (write, event, body) => {
    if (body.outcome === "unknown") counts.unknown += 1;
    done.inspect(write, event, body);
  });
  const ears = hearing({ blame, ledger: () => book, personOf });
  const order = schedule(draw, raise);
  const around: Around = {
    schedule: order,
    time: now,
    provider: shop,
    script: { ending: "value", status: "truth", look: "plan" },
    price: { now: 100 },
    called(known, args, context) {
      counts.calls += 1;
      done.called(known, args, context);
    },
    checked: (_known, context) => done.checked(context),
    readCalled: (context) => done.readCalled(context),
    mark(key) {
      const write = book.byKey.get(key);
      return write ? `of-${personOf(write)};` : "of-nobody;";
    },
  };
  const random = madeUp(name, draw);

  function open(): Process {
    const process = startProcess({
      store,
      schedule: order,
      time: now,
      random,
      fault,
      toolsFor: (life) => toolsOf(around, life),
      appended(append) {
        book.follow(append);
        for (const { id } of append.conversations) {
          for (const { ask } of asked) if (ask.conversationId === id) ask.present.add(presentIn(id));
        }
      },
      refMade: (customerId, ref) => customers.set(ref, customerId),
      reported: (_error, during) => {
        if (/idk-|opref-|sk-secret/.test(during))
          blame(10, "a log line holds a key, a reference or a secret");
      },
    });
    const can = Object.keys(process.engine.agent).sort().join();
    if (can !== "call,read,readWhen,withdraw") blame(9, `an agent can ${can}`);
    return process;
  }
  const running = Array.from({ length: processes }, open);

  return {
    base,
    name,
    draw,
    time: now,
    order,
    provider: shop,
    book,
    doings: done,
    around,
    screens: [],
    running,
    counts,
    blame,
    raise,
    presentIn,
    request(process, by, { conversationId, person = null }, question, hear = () => {}) {
      const seqs = new Map([...book.writes.values()].map(({ id, history }) => [id, history.length]));
      const present = new Set(conversationId === null ? [] : [presentIn(conversationId)]);
      const one = { ask: { by, person, conversationId, present, seqs }, process };
      asked.add(one);
      return question()
        .then(
          (answer) => {
            ears.heard(one.ask, answer);
            hear(answer);
          },
          (error: unknown) => {
            // Only a store that failed excuses a fault.
            if (!process.hasFailed) blame(12, `the ${by} is answered with a fault: ${String(error)}`);
          },
        )
        .finally(() => asked.delete(one));
    },
    crash(process) {
      counts.crashes += 1;
      process.life.alive = false;
      order.bury(process.life);
      for (const one of asked) if (one.process === process) asked.delete(one);
      running[running.indexOf(process)] = open();
    },
  };
}
