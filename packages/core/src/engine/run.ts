import { IntegrityError } from "../base/errors.ts";
import { deepFreeze } from "../base/json.ts";
import { isCommitted } from "../flow/content.ts";
import type { By, SettleReason } from "../flow/events.ts";
import { type Finding, isRerun, type Settle } from "../flow/outcome.ts";
import type { Write, WriteIn } from "../flow/write.ts";
import type { WriteContext, WriteTool } from "../tool/define.ts";
import { isOutcome } from "../tool/outcome.ts";
import {
  callWithin,
  customerOf,
  type Ending,
  type Signalling,
  TimeLimitError,
  tellFault,
} from "./author-call.ts";
import { findingOf, findingOfRun } from "./finding.ts";
import { handle } from "./handle.ts";
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
    let called = false;
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
      { what: "handler", tool, writeId: write.id },
      async (controller) => {
        const context = await contextFor(write, controller, begin);
        if (over) throw new TimeLimitError("the time of this run was over before the tool was called");
        called = true;
        return tool.handler(deepFreeze(args), context);
      },
      late,
    );
    over = true;
    tellFault(kernel, ending, `running tool "${tool.name}" for write ${write.id}, attempt ${write.attempt}`);
    const finding = await findingOfRun(tool, write, ending, { called, begun });
    if (finding.outcome === "applied" && finding.oneTime) kernel.handouts.put(write, finding.oneTime);
    return record(write, tool, finding, endings[ending.kind]);
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
      ? await callWithin(kernel, { what: "status", tool, writeId: write.id }, async (controller) =>
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
