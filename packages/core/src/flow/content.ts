import { canonical } from "../base/canonical.ts";
import { commit, sha256 } from "../base/digest.ts";
import { deepFreeze, type JsonObject } from "../base/json.ts";
import { wellFormed } from "../base/text.ts";
import type { FrozenCard } from "../card/model.ts";
import type { CheckedPlan, Target } from "../tool/plan.ts";
import type { Committed, DraftPlain, OutcomePlain } from "./events.ts";
import type { Principal } from "./principal.ts";

/** Everything one version of a write is made of, with the digest that a decision is bound to. */
export type Content = {
  readonly tool: string;
  readonly toolVersion: string;
  readonly principal: Principal;
  readonly targets: readonly Target[];
  readonly digest: string;
  readonly plain: {
    readonly salt: string;
    readonly args: Committed<JsonObject>;
    readonly card: Committed<FrozenCard>;
    readonly plan?: Committed<CheckedPlan>;
  };
};

/** Commits to a value under a salt. `text` is its canonical text, where already known. */
function commitTo<Value>(salt: string, value: Value, text: string = canonical(value)): Committed<Value> {
  return { value, text, commit: commit(salt, text) };
}

// What was committed to in this process and cannot have changed since: it is frozen.
const frozen: WeakMap<JsonObject, string> = new WeakMap();

/** True when `args` are still what was committed to under `salt`. */
export function isCommitted(args: JsonObject, salt: string, argsCommit: string): boolean {
  return frozen.get(args) === argsCommit || commit(salt, canonical(args)) === argsCommit;
}

/** Commits to what an outcome said. A message that is cut within a character must not cost the outcome itself. */
export function bindOutcome(salt: string, outcome: OutcomePlain): DraftPlain {
  const { message, note } = outcome;
  const whole: OutcomePlain = {
    ...outcome,
    ...(message !== undefined && { message: wellFormed(message) }),
    ...(note !== undefined && { note: wellFormed(note) }),
  };
  return { salt, outcome: commitTo(salt, whole) };
}

/** Commits to one version, freezes its arguments and computes its digest. `argsText` is the canonical text of `args`, where already known. */
export function bindContent(version: {
  readonly tool: string;
  readonly toolVersion: string;
  readonly principal: Principal;
  /** What the preview found; its targets are part of the digest, its amounts stand on the card. */
  readonly plan: CheckedPlan | undefined;
  readonly args: JsonObject;
  readonly argsText?: string;
  readonly card: FrozenCard;
  readonly salt: string;
}): Content {
  const { tool, toolVersion, principal, plan, salt } = version;
  const targets = plan?.targets ?? [];
  const args = commitTo(salt, deepFreeze(version.args), version.argsText);
  frozen.set(args.value, args.commit);
  const card = commitTo(salt, version.card);
  const digest = sha256(
    canonical({
      v: 1,
      tool,
      toolVersion,
      principal,
      targets,
      argsCommit: args.commit,
      cardCommit: card.commit,
    }),
  );
  return {
    tool,
    toolVersion,
    principal,
    targets,
    digest,
    plain: plan ? { salt, args, card, plan: commitTo(salt, deepFreeze(plan)) } : { salt, args, card },
  };
}
