import type { JsonObject } from "../base/json.ts";
import type { By, Surface } from "../flow/events.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write, WriteIn } from "../flow/write.ts";
import type { KeyRow } from "../ports/store.ts";
import type { WriteTool } from "../tool/define.ts";
import { handle, load } from "./handle.ts";
import { type Kernel, writeToolOf } from "./kernel.ts";
import { type Previewed, previewWrite, recheck } from "./preview.ts";
import { makeContent } from "./propose.ts";
import { readUntil } from "./wait.ts";

const system: By = { kind: "system", ref: null };

/** True for a proposal to whoever the customer was before the last change, even when that is the same person again. */
function isOfFormerEpoch({ principal }: Write, epoch: number | undefined): boolean {
  return principal.kind === "customer" && epoch !== undefined && principal.epoch !== epoch;
}

/** How long a confirm waits for the outcome, unless told otherwise. */
export const defaultWaitMs = 10_000;

/** The write once `running` has ended or `waitMs` are over, whoever runs it. `own` is this process's own run of it. */
async function outcomeOf(
  kernel: Kernel,
  write: Write,
  own: Promise<Write> | undefined,
  waitMs: number,
): Promise<Write> {
  if (write.state !== "running") return write;
  if (own) {
    let cancel = (): void => {};
    const timeout = new Promise<undefined>((resolve) => {
      cancel = kernel.clock.after(waitMs, () => resolve(undefined));
    });
    // A run whose record failed is told to the operator's log by the runner; here the last known state is the truth.
    const settled = await Promise.race([own.catch(() => undefined), timeout]);
    cancel();
    return settled ?? (await load(kernel, write.id)) ?? write;
  }
  const read = async (): Promise<Write> => (await load(kernel, write.id)) ?? write;
  return readUntil(kernel, write.conversationId, read, (current) => current.state !== "running", { waitMs });
}

/**
 * Confirms one version and digest, starts the run in this process, and waits for the outcome.
 *
 * `admit` is asked at every round with the write as it stands then, and refuses whoever may not decide it.
 */
export async function confirmWrite(
  kernel: Kernel,
  confirm: {
    readonly writeId: string;
    readonly version: number;
    readonly digest: string;
    readonly surface: Surface;
    readonly waitMs: number | undefined;
    readonly epoch?: number;
    readonly by: By;
    /** A client's own key, claimed together with the decision. */
    readonly key?: KeyRow | undefined;
    readonly admit: (write: Write) => Refusal | undefined;
  },
): Promise<Write | Refusal> {
  const { writeId, version, digest, surface, by, epoch, key, admit } = confirm;
  let seen: { readonly version: number; readonly previewed: Promise<Previewed> } | undefined;
  const look = (tool: WriteTool, write: Write, args: JsonObject): Promise<Previewed> => {
    // The same version has the same arguments: what was seen a moment ago serves the next round too.
    if (seen?.version !== write.version) {
      const { conversationId, principal, expiresAt } = write;
      const validSeconds = Math.max(0, (expiresAt - kernel.clock.now()) / 1000);
      const previewed = previewWrite(kernel, tool, { args, conversationId, principal, validSeconds });
      seen = { version: write.version, previewed };
    }
    return seen.previewed;
  };
  const handled = await handle(
    kernel,
    writeId,
    async (write) => {
      const refused = admit(write);
      if (refused) return refused;
      if (write.state === "proposed" && isOfFormerEpoch(write, epoch)) {
        // Its owner left and came back since: what they saw then they have to be asked anew.
        return { type: "supersede", at: kernel.clock.now(), by: system, reason: "customer_changed" };
      }
      const tool = writeToolOf(kernel, write.tool);
      if (write.state === "proposed" && tool?.toolVersion !== write.toolVersion) {
        // What the customer saw was made with another definition: never run it with this one.
        return {
          type: "supersede",
          at: kernel.clock.now(),
          by: system,
          reason: "tool_changed",
        };
      }
      const confirm = { type: "confirm", by, surface, version, digest } as const;
      const { args, card } = write;
      const current = version === write.version && digest === write.digest;
      const open = write.state === "proposed" && current && kernel.clock.now() < write.expiresAt;
      if (!open || !tool || !args || !card) {
        // Anything else answers by its state alone: no lead is ever followed.
        return { ...confirm, at: kernel.clock.now(), lead: { kind: "start", leaseUntil: 0 } };
      }
      const checked = recheck(kernel, tool, write, await look(tool, write, args));
      const at = kernel.clock.now();
      if (checked.kind === "refused") return checked.refusal;
      if (checked.kind === "lead") return { ...confirm, at, lead: checked.lead };
      const content = makeContent(kernel, tool, {
        principal: write.principal,
        args,
        plan: checked.plan,
        locale: card.locale,
        timeZone: card.timeZone,
      });
      return { type: "drift", at, content, reason: "changed" };
    },
    { ...(epoch !== undefined && { epoch }), ...(key && { key }) },
  );
  if ("refused" in handled) return handled;
  const { write } = handled;
  if (write.state === "superseded") return { refused: "superseded" };
  if (write.state === "proposed") return { refused: "drifted" };
  const started = handled.kind === "changed" && write.state === "running";
  const own = started ? kernel.runner.start(write as WriteIn<"running">) : undefined;
  return outcomeOf(kernel, write, own, confirm.waitMs ?? defaultWaitMs);
}

/** Declines whatever version the write is at. */
export async function declineWrite(
  kernel: Kernel,
  decline: {
    readonly writeId: string;
    readonly surface: Surface;
    readonly epoch?: number;
    readonly by: By;
    readonly admit: (write: Write) => Refusal | undefined;
  },
): Promise<Write | Refusal> {
  const { writeId, surface, by, epoch, admit } = decline;
  const handled = await handle(
    kernel,
    writeId,
    (write) => admit(write) ?? { type: "decline", at: kernel.clock.now(), by, surface },
    epoch === undefined ? {} : { epoch },
  );
  return "refused" in handled ? handled : handled.write;
}

/** True for refusals whose truth is the card as it now stands. */
export function isTold(refusal: Refusal): boolean {
  const { refused } = refusal;
  switch (refused) {
    case "stale_version":
    case "drifted":
    case "already_decided":
    case "expired":
    case "withdrawn":
    case "superseded":
      return true;
    default:
      return false;
  }
}
