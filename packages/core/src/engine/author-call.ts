import type { ReadContext, Tool } from "../tool/define.ts";
import type { Kernel } from "./kernel.ts";
import type { EngineEvent } from "./observe.ts";

type Called = Extract<EngineEvent, { readonly type: "called" }>;

/** An author's function was not back in time. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** How a call of an author's function ended: in time, with a throw, or not in time. */
export type Ending =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed_out" };

/** What makes its signal when somebody asks for it: most handlers never do, and making one costs more than calling them. */
export type Signalling = Pick<AbortController, "signal">;

/**
 * Calls an author's function, for its tool's `timeoutSeconds` at most; then its signal is aborted and the caller goes on. `late` is
 * told when it returns after that all the same.
 */
export async function callWithin(
  kernel: Kernel,
  of: { readonly what: Called["what"]; readonly tool: Tool; readonly writeId: string | null },
  call: (controller: Signalling) => unknown,
  late: (value: unknown) => void = () => {},
): Promise<Ending> {
  const { what, tool, writeId } = of;
  const { timeoutSeconds } = tool;
  const began = kernel.clock.now();
  const controller = new AbortController();
  let over = false;
  const running = (async () => call(controller))().then(
    (value): Ending => {
      if (over) late(value);
      return { kind: "returned", value };
    },
    (error: unknown): Ending => ({ kind: "threw", error }),
  );
  let cancel = (): void => {};
  const timeout = new Promise<Ending>((resolve) => {
    cancel = kernel.clock.after(timeoutSeconds * 1000, () => {
      over = true;
      resolve({ kind: "timed_out" });
      controller.abort(new Error(`stopped after ${timeoutSeconds} s`));
    });
  });
  const ending = await Promise.race([running, timeout]);
  cancel();
  if (kernel.observer.isWatched()) {
    const at = kernel.clock.now();
    const durationMs = at - began;
    kernel.observer.emit({
      type: "called",
      at,
      what,
      tool: tool.name,
      writeId,
      ending: ending.kind,
      durationMs,
    });
  }
  return ending;
}

/** Tells the operator's log what the journal cannot hold: what an author's function threw, or that it took too long. */
export function tellFault(kernel: Kernel, ending: Ending, during: string): void {
  if (ending.kind === "threw") kernel.report(ending.error, during);
  if (ending.kind === "timed_out")
    kernel.report(new TimeLimitError("the tool took longer than its timeoutSeconds"), during);
}

/** The verified customer behind a ref, as handlers see them. */
export async function customerOf(
  kernel: Kernel,
  conversationId: string,
  customerRef: string | null,
): Promise<ReadContext["customer"]> {
  if (customerRef === null) return null;
  const customerId = await kernel.store.findCustomerId(customerRef);
  if (customerId === undefined) return null;
  const { conversation } = await kernel.store.readConversation(conversationId);
  const present = conversation?.customerRef === customerRef ? conversation : undefined;
  // A customer who has left the conversation since is still whom the write is for, with the weakest claim to be present.
  return { customerId, level: present?.level ?? "low", authenticatedAt: present?.authenticatedAt ?? 0 };
}
