import type { AgentWrite, Card, Receipt } from "@countersign/core";
import type { Blame } from "./invariants.ts";
import { isFinalState, type Ledger, type LedgerWrite } from "./ledger.ts";
import { knownByName } from "./shop-tools.ts";

/** Who is told something, and how everything stood when they asked. */
export type Ask = {
  readonly by: "agent" | "customer" | "operator";
  /** A customer's own name; null for others. */
  readonly person: string | null;
  readonly conversationId: string | null;
  /** Everybody who was in the conversation since the question was asked. */
  readonly present: Set<string>;
  /** Number of each write's last event at that time. */
  readonly seqs: ReadonlyMap<string, number>;
};

// The words of the default language that say that something was done, and that it was not.
const saysDone = /\b(done|success|complete)/i;
const saysNot = /\b(not done|nothing (was|has)|failed|refused)/i;

const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cc}]/gu;

/** The value behind a shown text: every mark taken back to the characters it stands for. */
function behind(display: string): string {
  return display.replace(/⟦(?:U\+([0-9A-F]+)|([↵⇥␣]))(?:×(\d+))?⟧/gu, (_mark, code, sign, times = "1") => {
    const point = code
      ? String.fromCodePoint(Number.parseInt(code, 16))
      : { "↵": "\n", "⇥": "\t" }[sign as "↵"];
    return (point ?? " ").repeat(Number(times));
  });
}

/** Checks all that an agent, a customer or an operator is told. */
export type Hearing = { heard(ask: Ask, payload: unknown): void };

export function hearing(given: {
  readonly blame: Blame;
  readonly ledger: () => Ledger;
  personOf(owned: Pick<LedgerWrite, "principal" | "conversationId">): string;
}): Hearing {
  const { blame } = given;

  function scan(ask: Ask, payload: unknown): void {
    const text = JSON.stringify(payload) ?? "";
    if (/idk-|sk-secret/.test(text)) blame(10, `the ${ask.by} is told a key or a secret`);
    if (ask.by === "operator") return;
    if (/opref-/.test(text)) blame(10, `the ${ask.by} is told the provider's reference`);
    for (const [, person = ""] of text.matchAll(/of-([a-z0-9-]+);/g)) {
      const mayHear = ask.by === "agent" ? ask.present.has(person) : ask.person === person;
      if (!mayHear) blame(10, `the ${ask.by} ${ask.person ?? ""} is told what is ${person}'s`);
    }
  }

  function stands(ask: Ask, write: LedgerWrite, told: Pick<Card, "seq" | "state" | "version">): void {
    const before = ask.seqs.get(write.id) ?? 0;
    const was = write.history[before - 1]?.state ?? "";
    if (isFinalState(was) && told.state !== was) {
      blame(7, `${write.id} was ${was} and is told to be ${told.state}`);
      return;
    }
    if (told.seq < before) blame(12, `event ${before} of ${write.id} was there, and ${told.seq} is told`);
    const standing = write.history[told.seq - 1];
    if (standing?.state !== told.state || standing.version !== told.version)
      blame(12, `${write.id} is told as ${told.state} at event ${told.seq}; it was ${standing?.state}`);
  }

  function words(id: string, state: string, said: string): void {
    const done = saysDone.test(said.replace(saysNot, ""));
    const not = saysNot.test(said);
    if (state === "unknown" && (done || not)) blame(12, `${id} is unknown, and is told as "${said}"`);
    if (state === "pending" && (done || not)) blame(12, `${id} is pending, and is told as "${said}"`);
    if (state === "not_applied" && !not) blame(12, `${id} was not applied, and is told as "${said}"`);
    if (state === "applied" && (!done || not)) blame(12, `${id} was applied, and is told as "${said}"`);
  }

  function receipt(id: string, told: Receipt): void {
    words(id, told.outcome, told.outcome === "unknown" ? `${told.title} ${told.message}` : told.title);
    if (told.reference !== id) blame(12, `the receipt of ${id} is for ${told.reference}`);
  }

  function card(ask: Ask, told: Card): void {
    const write = given.ledger().writes.get(told.writeId);
    const known = knownByName.get(told.tool);
    if (!write || !known) {
      blame(12, `a card for ${told.writeId}, which is nowhere`);
      return;
    }
    stands(ask, write, told);
    const standing = write.history[told.seq - 1];
    const owner = given.personOf({ ...write, ...standing });
    if (ask.by === "customer" && owner !== ask.person) blame(10, `${ask.person} is shown a card of ${owner}`);
    if (standing && standing.digest !== told.digest) blame(8, `the card of ${write.id} has another digest`);
    if (
      told.title !== known.title ||
      told.confirmLabel !== known.confirmLabel ||
      told.declineLabel !== known.declineLabel
    )
      blame(11, `the card of ${write.id} has words that are not the tool's`);
    for (const field of told.fields) {
      if (field.label !== known.labels[field.argument]) blame(11, `a label of ${write.id} is not the tool's`);
      unseen.lastIndex = 0;
      if (unseen.test(field.display)) blame(11, `a value of ${write.id} hides characters`);
      const { value } = field;
      if (typeof value === "string" && value !== "" && behind(field.display) !== value)
        blame(11, `a value of ${write.id} is not whole`);
    }
    if (told.version === write.version.number) {
      const places = new Set([...told.fields, ...told.details].map(({ argument }) => argument));
      const hidden = Object.keys(write.version.args).find((name) => !places.has(`/${name}`));
      if (hidden !== undefined) blame(11, `argument ${hidden} of ${write.id} is not on its card`);
    }
    if (!told.receipt) return;
    const outcome = told.state;
    if (told.receipt.outcome !== outcome)
      blame(12, `${write.id} is ${outcome}, and its receipt says ${told.receipt.outcome}`);
    receipt(write.id, told.receipt);
  }

  function agentWrite(ask: Ask, told: AgentWrite): void {
    const write = given.ledger().writes.get(told.id);
    if (!write) {
      blame(12, `${told.id} is told of and is nowhere`);
      return;
    }
    stands(ask, write, told);
    // The tool's own sentence follows the state's, and may say what it likes.
    const [own = ""] = told.message.split(" The shop says");
    words(told.id, told.state, own);
  }

  function walk(ask: Ask, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if ("writeId" in value && "digest" in value && "fields" in value) card(ask, value as Card);
    else if ("id" in value && "tool" in value && "changedByCustomer" in value)
      agentWrite(ask, value as AgentWrite);
    else if ("outcome" in value && "reference" in value)
      receipt((value as Receipt).reference, value as Receipt);
    else for (const member of Object.values(value)) walk(ask, member);
  }

  return {
    heard(ask, payload) {
      scan(ask, payload);
      walk(ask, payload);
    },
  };
}
