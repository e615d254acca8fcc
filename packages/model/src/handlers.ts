import {
  applied,
  type JsonObject,
  pending,
  rejected,
  stepUpRequired,
  type Tool,
  type WriteContext,
} from "@countersign/core";
import { type Ending, honouring, type Look, makesAtOnce, type StatusEnding } from "./endings.ts";
import { isCertain, type Provider } from "./provider.ts";
import type { Life, Schedule } from "./schedule.ts";
import { findOrder, type Known, tolerance, writeTools } from "./shop-tools.ts";
import type { Time } from "./time.ts";

/** What handlers of a run have around them. */
export type Around = {
  readonly schedule: Schedule;
  readonly time: Time;
  readonly provider: Provider;
  /** How the next calls end. */
  readonly script: { ending: Ending; status: StatusEnding; look: Look };
  /** What previews find now. */
  readonly price: { now: number };
  /** Sees each call of a handler before anything comes of it. */
  called(known: Known, args: JsonObject, context: WriteContext): void;
  checked(known: Known, context: WriteContext): void;
  readCalled(context: object): void;
  /** Marks whose data a text is. */
  mark(key: string): string;
};

const never = (): Promise<never> => new Promise(() => {});

// The provider's own work goes on whatever becomes of a process of ours.
const provider: Life = { alive: true };

const lateMs = 20_000;

function until(time: Time, life: Life, ms: number): Promise<void> {
  return new Promise((resolve) => time.clockOf(life).after(ms, resolve));
}

function reply(ending: Ending, said: string, key: string): unknown {
  switch (ending) {
    case "refused":
    case "late-refused":
      return rejected(`The shop says no. ${said}`);
    case "pending":
      return pending(`opref-${key.slice(-6)}`, `It is on its way. ${said}`);
    case "untraceable":
      return pending("no\nreference");
    case "step-up":
      return stepUpRequired({ level: "high" });
    case "rubbish":
      return { done: 42, said };
    case "lost":
    case "error":
      throw new Error("the shop did not answer");
    default:
      return { done: said };
  }
}

async function handle(
  around: Around,
  known: Known,
  life: Life,
  args: JsonObject,
  context: WriteContext,
): Promise<unknown> {
  const { schedule, time } = around;
  around.called(known, args, context);
  const key = context.idempotencyKey;
  const account = around.provider.of(key);
  const honours = known.recovery === "same_key";
  const holds = account.effects.length > 0 ? "the change" : account.working ? "a part" : "nothing";
  const busy = honours && account.inFlight > 0;
  const scripted = around.script.ending;
  const ending = busy ? "error" : honours ? honouring(scripted, holds) : scripted;
  const effect = { args, customerId: context.customer?.customerId ?? null };
  const make = (): void => around.provider.make(key, effect, honours);
  if (known.marks) {
    await schedule.park(life, () => {});
    if (ending === "error") throw new Error("the shop cannot be reached");
    context.beginWrite();
  }
  let isUnderWay = true;
  account.inFlight += 1;
  const land = (): void => {
    if (isUnderWay) account.inFlight -= 1;
    isUnderWay = false;
  };
  const arrive = (): void => {
    if (makesAtOnce(ending)) make();
    if (ending === "pending" || ending === "untraceable") account.working = effect;
    if (ending !== "late-effect") {
      land();
      return;
    }
    time.clockOf(provider).after(lateMs, () => {
      make();
      land();
    });
  };
  await schedule.park(life, arrive, land);
  if (ending === "hang" || ending === "hang-applied") return never();
  if (ending.startsWith("late")) await until(time, life, lateMs + 1);
  await schedule.park(life, () => {});
  return reply(ending, around.mark(key), key);
}

async function checkStatus(
  around: Around,
  known: Known,
  life: Life,
  context: WriteContext,
): Promise<unknown> {
  around.checked(known, context);
  const { status } = around.script;
  const account = around.provider.of(context.idempotencyKey);
  const said = around.mark(context.idempotencyKey);
  const answer = await around.schedule.park(life, () => {
    if (account.working) return pending(`opref-${context.idempotencyKey.slice(-6)}`);
    const certain = isCertain(account);
    if (certain === null) return undefined;
    return certain ? applied({ done: said }) : rejected(`The shop knows of nothing. ${said}`);
  });
  switch (status) {
    case "hang":
      return never();
    case "rubbish":
      return { done: "perhaps" };
    case "step-up":
      return stepUpRequired({});
    case "throw":
      throw new Error("the shop is closed");
    default:
      if (answer === undefined) throw new Error("the shop cannot say yet");
      return answer;
  }
}

async function look(around: Around, life: Life): Promise<unknown> {
  const answer = around.script.look;
  const price = await around.schedule.park(life, () => around.price.now);
  switch (answer) {
    case "throw":
      throw new Error("the shop shows nothing");
    case "rejected":
      return rejected("The shop says that this cannot be done.");
    case "noop":
      return { noop: true };
    case "hang":
      return never();
    default:
      return {
        targets: [{ type: "plan", id: "p", version: String(Math.trunc(price / 100)) }],
        effects: [
          { type: "price", label: "Price", before: null, after: price, tolerance: { absolute: tolerance } },
        ],
      };
  }
}

/** The tools as one process has them. */
export function toolsOf(around: Around, life: Life): readonly Tool[] {
  const writes = writeTools.map(
    (known): Tool => ({
      ...known.tool,
      handler: (args: JsonObject, context: WriteContext) => handle(around, known, life, args, context),
      preview: known.looks ? () => look(around, life) : undefined,
      status: known.tool.status && ((_operation, context) => checkStatus(around, known, life, context)),
    }),
  );
  const read: Tool = {
    ...findOrder,
    handler: async (_args: JsonObject, context: object) => {
      around.readCalled(context);
      return { total: 2400 };
    },
  } as Tool;
  return [...writes, read];
}
