import { z } from "zod";
import type { ShopDatabase } from "./database.ts";

/**
 * How the shop answers writes.
 *
 * `usual` is 200 (202 for bookings); `ok` 200; `accept` 202, finished later; `refuse` 409; `fail_after` applies and answers
 * 500; `hang` applies and never answers; `slow` applies and answers after `slowMs`.
 */
export const behaviourModes = ["usual", "ok", "accept", "refuse", "fail_after", "hang", "slow"] as const;

/** One of {@link behaviourModes}. */
export type BehaviourMode = (typeof behaviourModes)[number];

/** How writes are answered, and whether a question about an operation is answered at all (`down`: 503). */
export type Behaviour = {
  readonly mode: BehaviourMode;
  readonly slowMs: number;
  readonly operations: "up" | "down";
};

/** The body of `PUT /behaviour`. Without a scope it states the default for everybody who has none. */
export const behaviourChange: z.ZodType<{
  scope: string;
  mode: BehaviourMode;
  slowMs: number;
  operations: "up" | "down";
}> = z.strictObject({
  scope: z.string().max(200).default(""),
  mode: z.enum(behaviourModes),
  slowMs: z.number().int().min(0).max(60_000).default(3000),
  operations: z.enum(["up", "down"]).default("up"),
});

const usual: Behaviour = { mode: "usual", slowMs: 3000, operations: "up" };

type Row = { readonly mode: BehaviourMode; readonly slow_ms: number; readonly operations: "up" | "down" };

/** The behaviour of a scope: its own, else the default one. */
export function readBehaviour(db: ShopDatabase, scope: string): Behaviour {
  const row = db
    .prepare<[string], Row>(
      "select mode, slow_ms, operations from behaviours where scope in (?, '') order by scope desc",
    )
    .get(scope);
  return row === undefined ? usual : { mode: row.mode, slowMs: row.slow_ms, operations: row.operations };
}

/** Keeps the behaviour of one scope. */
export function setBehaviour(db: ShopDatabase, scope: string, behaviour: Behaviour): void {
  db.prepare("insert or replace into behaviours values (?, ?, ?, ?)").run(
    scope,
    behaviour.mode,
    behaviour.slowMs,
    behaviour.operations,
  );
}
