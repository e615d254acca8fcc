import { IntegrityError } from "../base/errors.ts";
import { undoArguments } from "../card/undo.ts";
import type { By } from "../flow/events.ts";
import type { CustomerPrincipal } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import type { CardSession } from "./engine.ts";
import { appendSteps, load, type Step } from "./handle.ts";
import { type Kernel, maxRounds, writeToolOf } from "./kernel.ts";
import { meetOpenWrite, refuseUnverified } from "./open-write.ts";
import { parseArguments } from "./parse-arguments.ts";
import { presenceOf } from "./presence.ts";
import { previewWrite, refusalOf } from "./preview.ts";
import { lifetimeOf, makeContent, proposeStep } from "./propose.ts";

const notUndoable: Refusal = { refused: "not_undoable" };

/** Proposes what an applied write's receipt offers as its undo, and answers with that new write. */
export async function undoWrite(
  kernel: Kernel,
  undo: {
    readonly writeId: string;
    readonly session: CardSession;
    readonly by: By;
    readonly admit: (write: Write) => Refusal | undefined;
  },
): Promise<Write | Refusal> {
  const { writeId, session, by, admit } = undo;
  const done = await load(kernel, writeId);
  if (!done) return { refused: "not_found" };
  const refused = admit(done);
  if (refused) return refused;
  const offered = writeToolOf(kernel, done.tool)?.presentation.receipt.undo;
  const tool = offered && writeToolOf(kernel, offered.tool);
  if (done.state !== "applied" || !tool || !done.args || !done.card) return notUndoable;
  const result = done.valueWithheld ? undefined : done.result;
  const given = undoArguments(offered, { result, args: done.args });
  if (given === undefined) return notUndoable;
  const parsed = await parseArguments(kernel, tool, given);
  if ("refused" in parsed) return notUndoable;
  const { args, text: argsText } = parsed;
  const { locale, timeZone } = done.card;
  const { conversationId } = session;
  const isOwn = (open: Write): boolean => open.proposedBy.kind === "customer";
  for (let round = 0; round < maxRounds; round += 1) {
    const { conversation, openWriteId } = await kernel.store.readConversation(conversationId);
    const presence = presenceOf(conversation);
    if (presence.epoch !== session.epoch) return { refused: "session_ended", reason: "customer_changed" };
    const unverified = refuseUnverified(tool, conversation);
    if (unverified) return unverified;
    const steps: Step[] = [];
    const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
    if (open) {
      const met = meetOpenWrite(kernel, open, { tool, args, presence }, isOwn);
      if ("same" in met) return met.same;
      if ("refused" in met) return met;
      steps.push(met.end);
    }
    const principal: CustomerPrincipal = { kind: "customer", conversationId, ...presence };
    const validSeconds = lifetimeOf(tool, "web");
    const previewed = await previewWrite(kernel, tool, { args, conversationId, principal, validSeconds });
    const unseen = refusalOf(previewed, { refused: "preview_unavailable" });
    if (unseen) return unseen;
    // It is as it was before already.
    if (previewed.kind !== "plan") return notUndoable;
    const { plan } = previewed;
    const content = makeContent(kernel, tool, { principal, args, argsText, plan, locale, timeZone });
    const proposed = proposeStep(kernel, tool, { by, conversationId, surface: "web", content });
    const result = await appendSteps(kernel, [...steps, proposed], {
      guards: [{ conversationId, epoch: presence.epoch }],
    });
    if (result.kind !== "appended") continue;
    const { write } = proposed;
    return write.state === "running" ? kernel.runner.start(write).catch(() => write) : write;
  }
  throw new IntegrityError(`conversation ${conversationId}: gave up after ${maxRounds} lost races`);
}
