import type { Json, JsonObject } from "../base/json.ts";
import { isPlainObject } from "../base/json.ts";
import { getAt, type Pointer, setAt } from "../base/pointer.ts";
import type { Write } from "../flow/write.ts";

/** What one run handed out that is never stored, by pointer into its result. */
export type OneTime = { readonly [pointer: Pointer]: Json };

/** Parts a result into what is kept and what is handed out once; undefined where there is nothing of the kind. */
export function splitOneTime(
  value: Json,
  pointers: readonly Pointer[],
): { readonly kept: Json; readonly oneTime: OneTime | undefined } {
  let kept = value;
  const oneTime: Record<Pointer, Json> = {};
  for (const pointer of pointers) {
    const secret = getAt(value, pointer);
    if (secret === undefined || !isPlainObject(kept)) continue;
    oneTime[pointer] = secret;
    kept = setAt(kept as JsonObject, pointer, undefined);
  }
  return { kept, oneTime: Object.keys(oneTime).length > 0 ? oneTime : undefined };
}

/** Values on their way from a run to the operator who confirmed it, in memory only. */
export type Handouts = {
  put(write: Write, values: OneTime): void;
  /** What the write's run handed out, the first time it is asked for; null after that. */
  take(writeId: string): OneTime | null;
};

// Whoever confirmed waits for the run; what nobody took by then is lost, as a secret that is shown once is.
const most = 100;

/** Makes an empty set of handouts. */
export function makeHandouts(): Handouts {
  const values = new Map<string, OneTime>();
  return {
    put({ id, principal }, given) {
      // A customer's card and an agent are never shown a secret, so nobody would take it.
      if (principal.kind !== "operator") return;
      const [oldest] = values.keys();
      if (values.size >= most && oldest !== undefined) values.delete(oldest);
      values.set(id, given);
    },
    take(writeId) {
      const taken = values.get(writeId);
      values.delete(writeId);
      return taken ?? null;
    },
  };
}
