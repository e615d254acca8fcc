import type { Card, JournalRow, Json, JsonObject, WriteContext } from "@countersign/core";
import type { Blame } from "./invariants.ts";
import { type Body, isFinalState, type Ledger, type LedgerWrite } from "./ledger.ts";
import { isCertain, type Provider } from "./provider.ts";
import { type Known, knownByName } from "./shop-tools.ts";

/** A person's press of the confirm button, for what stood on the screen. */
export type Press = {
  readonly writeId: string;
  readonly version: number;
  readonly digest: string;
  readonly conversationId: string;
  readonly epoch: number;
  readonly person: string;
  readonly card: Card;
};

/** Two JSON values are the same whatever the order of their names. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => same((a as JsonObject)[name], (b as JsonObject)[name]))
  );
}

/** Every argument as the card showed it, by name. */
function shownOn(card: Card): { readonly [name: string]: Json } {
  const shown: { [name: string]: Json } = {};
  for (const { argument, value } of card.fields) {
    if (value !== null && value !== undefined) shown[argument.slice(1)] = value;
  }
  return shown;
}

/** Checks what is decided, started, called and settled against presses and provider. */
export type Doings = {
  pressed(press: Press): void;
  /** Before an event of the journal is folded in. */
  inspect(write: LedgerWrite, event: JournalRow, body: Body): void;
  called(known: Known, args: JsonObject, context: WriteContext): void;
  checked(context: WriteContext): void;
  readCalled(context: object): void;
  made(key: string): void;
};

export function doings(given: {
  readonly blame: Blame;
  readonly provider: Provider;
  readonly ledger: () => Ledger;
  personOf(owned: Pick<LedgerWrite, "principal" | "conversationId">): string;
}): Doings {
  const { blame, provider, personOf } = given;
  const presses: Press[] = [];
  const calls = new Set<string>();

  function confirmed(write: LedgerWrite, event: JournalRow, body: Body): void {
    const { id, version, conversationId } = write;
    const own = presses.filter((press) => press.writeId === id);
    if (own.length === 0) {
      blame(9, `${id} was confirmed and nobody pressed anything`);
      return;
    }
    if (JSON.parse(event.by).kind !== "customer") {
      blame(9, `${id} was confirmed by ${event.by}`);
      return;
    }
    const meant = own.filter((press) => press.version === body.version && press.digest === body.digest);
    const [press] = meant;
    if (!press) {
      blame(8, `${id} version ${body.version} was confirmed, and the press was for another`);
      return;
    }
    if (body.version !== version.number || body.digest !== version.digest) {
      blame(8, `${id} is at version ${version.number}, and ${body.version} was confirmed`);
      return;
    }
    if (event.at >= write.expiresAt) {
      blame(8, `${id} was confirmed ${event.at - write.expiresAt} ms late`);
      return;
    }
    const epoch = given.ledger().epochOf(conversationId);
    if (write.principal.kind !== "customer" || write.principal.epoch !== epoch) {
      blame(8, `${id} is of another epoch than ${epoch}, and was confirmed`);
      return;
    }
    const by = meant.find(
      (one) => one.person === personOf(write) && one.epoch === epoch && one.conversationId === conversationId,
    );
    if (!by) {
      blame(8, `${id} is ${personOf(write)}'s, and ${press.person} of ${press.conversationId} pressed`);
      return;
    }
    if (!same(shownOn(by.card), version.args)) blame(2, `${id} showed other values than its arguments`);
    const prices = version.plan?.effects.map(({ after }) => String(after)) ?? [];
    if (
      !same(
        by.card.effects.map(({ after }) => after),
        prices,
      )
    )
      blame(2, `${id} showed other effects than its plan`);
  }

  function settled(write: LedgerWrite, outcome: string): void {
    const certain = isCertain(provider.of(write.key));
    if (outcome === "not_applied" && certain !== false)
      blame(
        6,
        `${write.id} is said not to be applied; the provider ${certain ? "made it" : "may yet make it"}`,
      );
    if (outcome === "applied" && certain !== true)
      blame(12, `${write.id} is said to be applied; the provider holds no such change`);
  }

  return {
    pressed: (press) => void presses.push(press),
    inspect(write, event, body) {
      if (event.type === "confirmed") confirmed(write, event, body);
      if (event.type === "started" && write.state === "unknown") {
        const recovery = knownByName.get(write.tool)?.recovery;
        if (recovery !== "same_key") blame(5, `${write.id} was run again, and its tool says "${recovery}"`);
      }
      if (event.type !== "contradicted" && body.outcome !== undefined) settled(write, body.outcome);
    },
    called({ confirmation }, args, { idempotencyKey, attempt, customer, plan }) {
      const write = given.ledger().byKey.get(idempotencyKey);
      if (!write) {
        blame(4, "a handler was given a key that no write has");
        return;
      }
      const { id, version } = write;
      const isConfirmed =
        write.confirmed?.digest === version.digest && write.confirmed.version === version.number;
      if (confirmation === "required" && !isConfirmed) {
        blame(1, `${id} runs and was not confirmed`);
        return;
      }
      if (calls.has(`${id} ${attempt}`)) {
        blame(5, `attempt ${attempt} of ${id} was run twice`);
        return;
      }
      calls.add(`${id} ${attempt}`);
      if (write.state !== "running" || attempt !== write.attempts) {
        blame(5, `attempt ${attempt} of ${id} runs while it is ${write.state}, attempt ${write.attempts}`);
        return;
      }
      const person = personOf(write);
      if ((customer?.customerId ?? null) !== (person.startsWith("visitor") ? null : person)) {
        blame(1, `${id} is ${person}'s and runs for somebody else`);
        return;
      }
      if (!same(plan, version.plan)) blame(2, `${id} runs with another plan than version ${version.number}`);
      if (!same(args, version.args))
        blame(2, `${id} runs with other arguments than version ${version.number}`);
    },
    checked({ idempotencyKey }) {
      if (!given.ledger().byKey.has(idempotencyKey))
        blame(4, "a status check was given a key that no write has");
    },
    readCalled(context) {
      if ("idempotencyKey" in context) blame(4, "a read was given a key");
    },
    made(key) {
      const write = given.ledger().byKey.get(key);
      const { effects } = provider.of(key);
      if (!write) {
        blame(4, "a change was made under a key that no write has");
        return;
      }
      if (effects.length > 1) {
        blame(5, `${write.id} was made ${effects.length} times`);
        return;
      }
      if (isFinalState(write.state) && write.state !== "applied")
        blame(6, `${write.id} is ${write.state}, and then the change was made`);
    },
  };
}
