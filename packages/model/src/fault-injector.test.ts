import {
  applied,
  type Card,
  createEngine,
  defineTool,
  isRefusal,
  type JsonObject,
  rejected,
  type Store,
  type Tool,
  type WriteContext,
} from "@countersign/core";
import { type FaultInjector, faultInjector, manualClock } from "@countersign/core/testing";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { runs } from "./settings.ts";
import { memoryStores, sqliteStores } from "./stores.ts";

/** A provider that honours idempotency keys, and can be told to forget a key that it has not seen. */
function makeProvider() {
  const effects = new Map<string, number>();
  const closed = new Set<string>();
  return {
    has: (key: string) => effects.has(key),
    effects: () => effects.size,
    apply(key: string): { number: number } {
      if (closed.has(key)) throw new Error("the key is closed");
      const known = effects.get(key);
      if (known !== undefined) return { number: known };
      const number = effects.size + 1;
      effects.set(key, number);
      return { number };
    },
    /** What became of a key; one that was never seen is closed, so that a request under way does nothing any more. */
    ask(key: string): { number: number } | "closed" {
      const number = effects.get(key);
      if (number !== undefined) return { number };
      closed.add(key);
      return "closed";
    },
  };
}

type Provider = ReturnType<typeof makeProvider>;

const recoveries = ["status", "same_key", "operator"] as const;

function toolsOf(provider: Provider, injector: FaultInjector): readonly Tool[] {
  const send = injector.wrap((key: string) => provider.apply(key));
  const ask = injector.wrap((key: string) => provider.ask(key));
  return recoveries.map((recovery) =>
    defineTool({
      name: `pay_${recovery}`,
      title: "Pay",
      description: "Pays.",
      effect: "write",
      customer: "any",
      recovery,
      input: z.strictObject({ amount: z.int() }),
      output: z.object({ number: z.int() }),
      handler: (_args, { idempotencyKey }) => send(idempotencyKey),
      ...(recovery === "status" && {
        status: async (_known: object, { idempotencyKey }: { idempotencyKey: string }) => {
          const said = await ask(idempotencyKey);
          return said === "closed" ? rejected("The provider knows of nothing.") : applied(said);
        },
      }),
    }),
  );
}

type Scene = { readonly store: Store; readonly seed: number; readonly writes: number };

/** Runs writes whose every call of the provider may fail, until nothing is left to do but by a person. */
async function run({ store, seed, writes }: Scene) {
  const clock = manualClock(Date.UTC(2026, 10, 30));
  const provider = makeProvider();
  const injector = faultInjector({ seed, clock });
  const keys = new Map<string, string>();
  const tools = toolsOf(provider, injector).map((tool): Tool => {
    if (tool.effect === "read") return tool;
    return {
      ...tool,
      handler(args: JsonObject, context: WriteContext) {
        keys.set(context.conversationId, context.idempotencyKey);
        return tool.handler(args, context);
      },
    };
  });
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const engine = createEngine({ tools, store, clock, logger, limits: { proposalsPerMinute: 0 } });
  const sessionOf = (conversationId: string) => ({
    conversationId,
    epoch: 0,
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
  const cardOf = async (conversationId: string): Promise<Card> => {
    const page = await engine.customer.card(sessionOf(conversationId));
    if (isRefusal(page) || !page.card) throw new Error("there is no card");
    return page.card;
  };
  const conversations = Array.from({ length: writes }, (_, index) => `${seed}-${index}`);
  for (const [index, conversationId] of conversations.entries()) {
    const tool = `pay_${recoveries[index % recoveries.length]}`;
    await engine.agent.call({ agent: "bot", conversationId, tool, arguments: { amount: index } });
    const { writeId, version, digest } = await cardOf(conversationId);
    const session = sessionOf(conversationId);
    void engine.customer.confirm({ session, writeId, version, digest, waitMs: 0 });
  }
  // As long as the longest plan of further looks takes, in steps that let everything fall due at its time.
  for (let step = 0; step < 200; step += 1) {
    await clock.advance(step < 60 ? 15_000 : 600_000);
    void engine.runDue();
    await clock.settle();
  }
  const wrong: string[] = [];
  const counts = { applied: 0, not_applied: 0, unknown: 0 };
  for (const conversationId of conversations) {
    const card = await cardOf(conversationId);
    const happened = provider.has(keys.get(conversationId) ?? "");
    const told = await engine.agent.read({ agent: "bot", writeId: card.writeId });
    const outcome = card.receipt?.outcome;
    if (outcome !== "applied" && outcome !== "not_applied" && outcome !== "unknown")
      wrong.push(`${conversationId} is ${card.state}`);
    else counts[outcome] += 1;
    if (outcome === "applied" && !happened) wrong.push(`${conversationId}: told as done, and is not`);
    if (outcome === "not_applied" && happened) wrong.push(`${conversationId}: told as not done, and is`);
    if (isRefusal(told) || told.state !== outcome)
      wrong.push(`${conversationId}: the agent is told otherwise`);
    if (outcome === "unknown") {
      const seen = await engine.operator.read(card.writeId);
      if (isRefusal(seen) || !seen.needsAttention)
        wrong.push(`${conversationId}: unknown, and nobody is called`);
    }
  }
  const happened = conversations.filter((id) => provider.has(keys.get(id) ?? "")).length;
  if (provider.effects() !== happened) wrong.push(`${provider.effects()} effects of ${happened} writes`);
  await engine.stop({ graceMs: 0 });
  return { wrong, counts, faults: injector.counts() };
}

for (const [name, stores] of [
  ["memory", memoryStores()],
  ["SQLite", sqliteStores()],
] as const) {
  afterAll(() => stores.close());
  test(`MODEL-4 whatever the network does, no receipt is wrong on the ${name} store`, {
    timeout: 1_800_000,
  }, async () => {
    const total = { writes: 0, applied: 0, not_applied: 0, unknown: 0 };
    const each = 60;
    for (let seed = 1; total.writes < runs(1200, 20_000); seed += 1) {
      const store = await stores.take();
      const { wrong, counts } = await run({ store, seed, writes: each });
      await stores.giveBack(store, false);
      expect(wrong).toEqual([]);
      total.writes += each;
      for (const outcome of ["applied", "not_applied", "unknown"] as const) total[outcome] += counts[outcome];
    }
    console.log(`${name} store: ${JSON.stringify(total)}`);
    expect(Math.min(total.applied, total.not_applied, total.unknown)).toBeGreaterThan(0);
  });
}
