import type { Host } from "./route.ts";

/**
 * Hands work to the host so that it ends even when the client hangs up or the host freezes after the answer.
 *
 * Answers with the same promise. The host's own copy never rejects: the answer tells the fault.
 */
export function keepAlive<T>(host: Host | undefined, work: Promise<T>): Promise<T> {
  host?.waitUntil(work.catch(() => undefined));
  return work;
}
