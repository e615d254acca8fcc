import { canonical } from "../base/canonical.ts";
import { IntegrityError } from "../base/errors.ts";
import { deepFreeze, type Json } from "../base/json.ts";
import { isCommitted } from "../flow/content.ts";
import type { By, SettleReason } from "../flow/events.ts";
import { type Finding, isRerun, type Settle } from "../flow/outcome.ts";
import type { Write, WriteIn } from "../flow/write.ts";
import type { ReadContext, WriteContext, WriteTool } from "../tool/define.ts";
import {
  isOperationRef,
  isOutcome,
  messageOf,
  OperationRefError,
  type Outcome,
  outcomeKind,
  stepUpRequired,
} from "../tool/outcome.ts";
import { handle } from "./handle.ts";
import { splitOneTime } from "./handouts.ts";
import { type Kernel, leaseUntil, nextCheckAt, writeToolOf } from "./kernel.ts";

/** What is running in this process. */
export type Runner = {
  /** Runs the attempt that this process appended, records how it ended, and answers with the write after that. */
  start(write: WriteIn<"running">): Promise<Write>;
  /**
   * Runs a due unknown write once more under its own key, for a tool that says that this is safe; true when this call started
   * it. Where the tool is no longer the one that was confirmed, nobody runs it: it is left to a person.
   */
  rerun(write: WriteIn<"pending" | "unknown">): Promise<boolean>;
  /** Asks a tool's status handler what became of a write, and records the answer. `by`: the person who had it asked. */
  checkStatus(write: WriteIn<"pending" | "unknown">, by?: By): Promise<void>;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
};

/** An author's function was not back in time. */
class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** How a call of an author's function ended: in time, with a throw, or not in time. */
type Ending =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed_out" };

/** What makes its signal when somebody asks for it: most handlers never do, and making one costs more than calling them. */
type Signalling = Pick<AbortController, "signal">;

/**
 * Calls an author's function, for `timeoutSeconds` at most; then its signal is aborted and the caller goes on. `late` is
 * told when it returns after that all the same.
 */
export async function callWithin(
  kernel: Kernel,
  timeoutSeconds: number,
  call: (controller: Signalling) => unknown,
  late: (value: unknown) => void = () => {},
): Promise<Ending> {
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

async function readFinding(tool: WriteTool, value: unknown): Promise<Finding> {
  if (!isOutcome(value)) return appliedFinding(tool, value);
  const outcome = value as Outcome<unknown>;
  switch (outcomeKind(outcome)) {
    case "applied":
      return appliedFinding(tool, (outcome as { value: unknown }).value);
    case "rejected": {
      const message = messageOf(outcome as { message: string });
      return { outcome: "not_applied", plain: message === undefined ? {} : { message } };
    }
    case "pending": {
      const { operationRef } = outcome as { operationRef: string };
      if (!isOperationRef(operationRef)) return { outcome: "unknown", reason: "invalid_operation_ref" };
      const message = messageOf(outcome as { message?: string });
      return { outcome: "pending", plain: { operationRef, ...(message !== undefined && { message }) } };
    }
    case "step_up_required": {
      const { level, maxAuthAgeSeconds } = stepUpRequired(
        outcome as Extract<Outcome<never>, { level?: unknown }>,
      );
      return {
        outcome: "step_up_required",
        level: level ?? null,
        maxAuthAgeSeconds: maxAuthAgeSeconds ?? null,
      };
    }
    default:
      return { outcome: "unknown", reason: "invalid_outcome" };
  }
}

/** What an author's answer says. An outcome that is not one after all says nothing: it was called, so that is unknown. */
function findingOf(tool: WriteTool, value: unknown): Promise<Finding> {
  return readFinding(tool, value).catch(() => ({ outcome: "unknown", reason: "invalid_outcome" }));
}

/** What a handler's throw says: nothing, unless it tells where it begins to write and was not there yet. */
function findingOfThrow(tool: WriteTool, write: Write, begun: boolean, error: unknown): Finding {
  if (error instanceof OperationRefError) return { outcome: "unknown", reason: "invalid_operation_ref" };
  if (!tool.marksWriting || begun || isRerun(write)) return { outcome: "unknown" };
  return { outcome: "not_applied", plain: {} };
}

// Of the canonical text of a result, in UTF-8. A larger one would make every read of its write slow.
const resultBytes = 256 * 1024;

function isTooLarge(result: Json): boolean {
  const text = canonical(result);
  return text.length > resultBytes || Buffer.byteLength(text, "utf8") > resultBytes;
}

async function appliedFinding(tool: WriteTool, value: unknown): Promise<Finding> {
  // The change happened whatever the value looks like: a bad value is withheld, not a reason to doubt the change. A
  // schema that throws is no reason either.
  const parsed = await tool.parseOutput(value).catch(() => ({ issues: [] }));
  if ("issues" in parsed) return { outcome: "applied", plain: {}, valueWithheld: true };
  const { kept, oneTime } = splitOneTime(parsed.value, tool.oneTime);
  const valueWithheld = isTooLarge(kept);
  return { outcome: "applied", plain: valueWithheld ? {} : { result: kept }, valueWithheld, oneTime };
}

const endings: { readonly [Kind in Ending["kind"]]: SettleReason } = {
  returned: "returned",
  threw: "threw",
  timed_out: "timed_out",
};

// How often recording an outcome is tried, when the store fails, before whoever waits is told that it still runs.
const recordDelaysMs: readonly number[] = [50, 200, 1000, 5000];

// After that it is tried on, with nobody waiting, until the lease's end makes it unknown.
const recordAgainMs = 5000;

/** Makes the runner of a kernel. */
export function makeRunner(kernelOf: () => Kernel): Runner {
  const active = new Set<Promise<unknown>>();

  function track<Value>(work: Promise<Value>): Promise<Value> {
    active.add(work);
    const done = (): void => void active.delete(work);
    work.then(done, done);
    return work;
  }

  /** `begin` is called when the handler says that it begins to write. */
  async function contextFor(
    write: Write,
    controller: Signalling,
    begin: () => void = () => {},
  ): Promise<WriteContext> {
    const kernel = kernelOf();
    const { principal, conversationId, idempotencyKey } = write;
    if (idempotencyKey === undefined)
      throw new IntegrityError(`write ${write.id}: its idempotency key is gone`);
    const customerRef = principal.kind === "customer" ? principal.customerRef : null;
    return {
      get signal() {
        return controller.signal;
      },
      secrets: kernel.secrets,
      customer: await customerOf(kernel, conversationId, customerRef),
      conversationId,
      idempotencyKey,
      attempt: "attempt" in write ? write.attempt : 1,
      plan: write.plan ? deepFreeze(write.plan) : null,
      beginWrite: begin,
    };
  }

  async function record(
    write: Write & { readonly attempt: number },
    tool: WriteTool | undefined,
    finding: Finding,
    reason: SettleReason,
    by?: By,
  ): Promise<Write> {
    const kernel = kernelOf();
    // What a person has asked besides does not move the plan of the automatic checks.
    const planned = (current: Write): Settle["nextCheckAt"] =>
      by === undefined
        ? nextCheckAt(
            kernel,
            tool,
            finding.outcome === "pending" ? "pending" : "unknown",
            ("checks" in current ? current.checks : 0) + (reason === "status_check" ? 1 : 0),
          )
        : "nextCheckAt" in current
          ? current.nextCheckAt
          : null;
    const commandFor = (current: Write): Settle => ({
      type: "settle",
      at: kernel.clock.now(),
      attempt: write.attempt,
      reason,
      finding,
      salt: kernel.random.salt(),
      nextCheckAt: planned(current),
      ...(by !== undefined && { by }),
    });
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => kernel.clock.after(ms, () => resolve()));
    const tryOnce = async (known?: Write): Promise<Write> => {
      try {
        const handled = await handle(kernel, write.id, commandFor, known ? { known } : {});
        return "refused" in handled ? write : handled.write;
      } catch (error) {
        kernel.report(error, `recording the outcome of write ${write.id}`);
        throw error;
      }
    };
    const keepTrying = async (): Promise<void> => {
      const until = write.state === "running" ? write.leaseUntil : 0;
      while (kernel.clock.now() + recordAgainMs < until) {
        await pause(recordAgainMs);
        const recorded = await tryOnce().catch(() => undefined);
        if (recorded) return;
      }
    };
    for (let tried = 0; ; tried += 1) {
      try {
        return await tryOnce(tried === 0 ? write : undefined);
      } catch (error) {
        const delayMs = recordDelaysMs[tried];
        if (delayMs === undefined) {
          void track(keepTrying());
          throw error;
        }
        await pause(delayMs);
      }
    }
  }

  async function attempt(write: WriteIn<"running">): Promise<Write> {
    const kernel = kernelOf();
    const tool = writeToolOf(kernel, write.tool);
    const { args, salt } = write;
    const intact = args && salt !== undefined && isCommitted(args, salt, write.argsCommit);
    if (!tool || !intact) {
      // Nothing was called, so nothing was changed: the one case where that is certain after a start, if it is the first.
      kernel.report(
        new IntegrityError(
          `write ${write.id}: ${tool ? "its arguments are not the confirmed ones" : `tool "${write.tool}" is gone`}`,
        ),
        "starting a write",
      );
      const finding: Finding = isRerun(write)
        ? { outcome: "unknown" }
        : { outcome: "not_applied", plain: {} };
      return record(write, tool, finding, "stopped");
    }
    let begun = false;
    let over = false;
    const begin = (): void => {
      if (over) throw new TimeLimitError("the time of this run is over; nothing may be changed any more");
      begun = true;
    };
    const late = (value: unknown): void => {
      track(findingOf(tool, value).then((finding) => record(write, tool, finding, "late_result"))).catch(
        () => {},
      );
    };
    const ending = await callWithin(
      kernel,
      tool.timeoutSeconds,
      async (controller) => tool.handler(deepFreeze(args), await contextFor(write, controller, begin)),
      late,
    );
    over = true;
    tellFault(kernel, ending, `running tool "${tool.name}" for write ${write.id}, attempt ${write.attempt}`);
    const finding = await findingOfEnding(tool, write, ending, begun);
    if (finding.outcome === "applied" && finding.oneTime) kernel.handouts.put(write, finding.oneTime);
    return record(write, tool, finding, endings[ending.kind]);
  }

  function findingOfEnding(
    tool: WriteTool,
    write: Write,
    ending: Ending,
    begun: boolean,
  ): Finding | Promise<Finding> {
    if (ending.kind === "timed_out") return { outcome: "unknown" };
    if (ending.kind === "threw") return findingOfThrow(tool, write, begun, ending.error);
    return findingOf(tool, ending.value).then((finding): Finding => {
      // It says that nothing was applied, and had said before that it begins to apply.
      if (finding.outcome === "step_up_required" && begun)
        return { outcome: "unknown", reason: "step_up_after_write" };
      return finding;
    });
  }

  async function rerun(write: WriteIn<"pending" | "unknown">): Promise<boolean> {
    const kernel = kernelOf();
    const tool = writeToolOf(kernel, write.tool);
    const runnable = tool?.toolVersion === write.toolVersion && write.args && kernel.mode === "live";
    const handled = await handle(kernel, write.id, (current) => {
      const at = kernel.clock.now();
      if (current.seq !== write.seq) return { refused: "already_decided" };
      return tool && runnable
        ? { type: "rerun", at, leaseUntil: leaseUntil(kernel, tool) }
        : { type: "check", at, nextCheckAt: null };
    });
    if ("refused" in handled || handled.kind !== "changed") return false;
    if (handled.write.state === "running") await attempt(handled.write as WriteIn<"running">);
    return true;
  }

  async function checkStatus(write: WriteIn<"pending" | "unknown">, by?: By): Promise<void> {
    const kernel = kernelOf();
    const tool = writeToolOf(kernel, write.tool);
    const status = tool?.status;
    const ending: Ending = status
      ? await callWithin(kernel, tool.timeoutSeconds, async (controller) =>
          status({ operationRef: write.operationRef ?? undefined }, await contextFor(write, controller)),
        )
      : { kind: "threw", error: new IntegrityError(`tool "${write.tool}" has no status handler`) };
    tellFault(kernel, ending, `checking the status of write ${write.id} with tool "${write.tool}"`);
    // Only an outcome says anything here: a bare value of a status handler is no statement about the change.
    const told = tool && ending.kind === "returned" && isOutcome(ending.value);
    const finding: Finding = told ? await findingOf(tool, ending.value) : { outcome: "unknown" };
    const checks = write.checks + 1;
    if (finding.outcome !== "unknown" && finding.outcome !== "step_up_required") {
      await record(write, tool, finding, by === undefined ? "status_check" : "operator_check", by);
      return;
    }
    await handle(kernel, write.id, (current) => {
      if (by !== undefined) return { type: "check", at: kernel.clock.now(), nextCheckAt: null, by };
      const moved =
        !("checks" in current) || current.checks !== write.checks || current.state !== write.state;
      if (moved) return { refused: "already_decided" };
      return {
        type: "check",
        at: kernel.clock.now(),
        nextCheckAt: nextCheckAt(kernel, tool, write.state, checks),
      };
    });
  }

  return {
    start: (write) => track(attempt(write)),
    rerun: (write) => track(rerun(write)),
    checkStatus: (write, by) => track(checkStatus(write, by)),
    async idle() {
      while (active.size > 0) await Promise.allSettled([...active]);
    },
  };
}
