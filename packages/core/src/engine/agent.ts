import { IntegrityError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { bindOutcome } from "../flow/content.ts";
import { belongsTo, type CustomerPrincipal } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import { isFinal, type Write } from "../flow/write.ts";
import type { WriteTool } from "../tool/define.ts";
import { callRead } from "./call-read.ts";
import { placeOf } from "./chats/propose-in-chat.ts";
import { type Call, type ClientKey, clientKeyOf, replay } from "./client-key.ts";
import type { AgentView, CallAnswer } from "./engine.ts";
import { appendSteps, handle, load, type Step } from "./handle.ts";
import { type Kernel, maxRounds } from "./kernel.ts";
import { checkLimits } from "./limits.ts";
import { meetOpenWrite, refuseUnverified } from "./open-write.ts";
import { parseArguments } from "./parse-arguments.ts";
import { presenceOf } from "./presence.ts";
import { type Previewed, previewWrite, refusalOf } from "./preview.ts";
import { makeContent, proposeStep } from "./propose.ts";
import { toAgentWrite } from "./view.ts";
import type { AgentWrite } from "./views.ts";
import { readUntil } from "./wait.ts";

const notNow = "What this would do cannot be found out right now. Try again in a moment.";

function isBy({ proposedBy }: Write, agent: string): boolean {
  return proposedBy.kind === "agent" && proposedBy.ref === agent;
}

/** What an agent may do, by one kernel. */
export function makeAgentView(kernel: Kernel): AgentView {
  async function viewOf(write: Write): Promise<AgentWrite> {
    const { conversation } = await kernel.store.readConversation(write.conversationId);
    return toAgentWrite(write, belongsTo(write.principal, presenceOf(conversation)));
  }

  function answerOf(met: { readonly same: Write } | Refusal): CallAnswer | Refusal {
    if ("refused" in met) return met;
    return { kind: "write", write: toAgentWrite(met.same, true), created: false, replayed: false };
  }

  /**
   * What a client's key stands for, when a call met an open write: a call beside this one may have used the key first. A
   * free key stands for the same proposal from now on, so that it never leads to a second write.
   */
  async function answerOfKey(
    call: Call,
    clientKey: ClientKey,
    met: { readonly same: Write } | Refusal,
  ): Promise<CallAnswer | Refusal | undefined> {
    if ("same" in met) {
      const { id: writeId, principal } = met.same;
      const customerRef = principal.kind === "customer" ? principal.customerRef : null;
      const now = kernel.clock.now();
      const row = {
        ...clientKey,
        writeId,
        answer: null,
        customerRef,
        keepUntil: now + kernel.retention.keysMs,
      };
      if ((await kernel.store.claimKey(row, now)) === "claimed") return undefined;
    }
    const replayed = await replay(kernel, call, clientKey, viewOf);
    return replayed === "anew" ? undefined : replayed;
  }

  /** One try at proposing; undefined when somebody else was faster and all has to be looked at again. */
  async function tryPropose(
    tool: WriteTool,
    args: JsonObject,
    argsText: string,
    call: Call,
    clientKey: ClientKey | undefined,
    look: (principal: CustomerPrincipal, validSeconds: number) => Promise<Previewed>,
  ): Promise<CallAnswer | Refusal | undefined> {
    const { conversationId } = call;
    const { conversation, openWriteId } = await kernel.store.readConversation(conversationId);
    const place = await placeOf(kernel, tool, conversation);
    const presence = presenceOf(conversation);
    const refused = refuseUnverified(tool, conversation);
    if (refused) return refused;
    const steps: Step[] = [];
    const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
    if (open) {
      const isOwn = (write: Write): boolean => isBy(write, call.agent);
      const met = meetOpenWrite(kernel, open, { tool, args, presence }, isOwn);
      if ("end" in met) steps.push(met.end);
      else return (clientKey && (await answerOfKey(call, clientKey, met))) ?? answerOf(met);
    }
    const limited = await checkLimits(kernel, { tool: tool.name, conversationId, argsText, presence });
    if (limited) return limited;
    const principal: CustomerPrincipal = { kind: "customer", conversationId, ...presence };
    const previewed = await look(principal, place.lifetimeMs / 1000);
    if (previewed.kind === "noop") return { kind: "noop", tool: tool.name, replayed: false };
    const unseen = refusalOf(previewed, { refused: "preview_failed", message: notNow });
    if (unseen) return unseen;
    const content = makeContent(kernel, tool, {
      principal,
      args,
      argsText,
      plan: previewed.kind === "plan" ? previewed.plan : undefined,
      locale: conversation?.locale ?? kernel.defaultLocale,
      timeZone: conversation?.timeZone ?? kernel.defaultTimeZone,
    });
    const unfit = place.refuse(content.plain.card.value);
    if (unfit) return unfit;
    const by = { kind: "agent", ref: call.agent } as const;
    const { surface, lifetimeMs } = place;
    const proposed = proposeStep(kernel, tool, { by, conversationId, surface, lifetimeMs, content });
    const { customerRef } = presence;
    const keepUntil = kernel.clock.now() + kernel.retention.keysMs;
    const result = await appendSteps(kernel, [...steps, proposed], {
      guards: [
        {
          conversationId,
          epoch: presence.epoch,
          // A first contact does not change the customer, but it is where this has to be shown.
          ...(kernel.channels.size > 0 && conversation?.channel == null && { row: conversation ?? null }),
        },
      ],
      key: clientKey
        ? { ...clientKey, writeId: proposed.write.id, answer: null, customerRef, keepUntil }
        : null,
    });
    if (result.kind === "appended") {
      const { write } = proposed;
      const view =
        write.state === "running"
          ? // The runner reports a record that failed; that it runs is then the last known truth.
            await viewOf(await kernel.runner.start(write).catch(() => write))
          : toAgentWrite(write, true);
      return { kind: "write", write: view, created: true, replayed: false };
    }
    if (result.on !== "key" || !clientKey) return undefined;
    const replayed = await replay(kernel, call, clientKey, viewOf);
    return replayed === "anew" ? undefined : replayed;
  }

  async function callWrite(
    tool: WriteTool,
    parsed: { readonly args: JsonObject; readonly text: string },
    call: Call,
    clientKey: ClientKey | undefined,
  ): Promise<CallAnswer | Refusal> {
    const { conversationId } = call;
    let seen: { readonly epoch: number; readonly previewed: Promise<Previewed> } | undefined;
    // One look serves every round, as long as it was made for the same customer.
    const look = (principal: CustomerPrincipal, validSeconds: number): Promise<Previewed> => {
      if (seen?.epoch !== principal.epoch) {
        const write = { args: parsed.args, conversationId, principal, validSeconds };
        seen = { epoch: principal.epoch, previewed: previewWrite(kernel, tool, write) };
      }
      return seen.previewed;
    };
    for (let round = 0; round < maxRounds; round += 1) {
      const answer = await tryPropose(tool, parsed.args, parsed.text, call, clientKey, look);
      if (answer) return answer;
    }
    throw new IntegrityError(`conversation ${conversationId}: gave up after ${maxRounds} lost races`);
  }

  /** A write this agent proposed itself; anything else does not exist for it. */
  async function ownWrite(agent: string, writeId: string): Promise<Write | undefined> {
    const write = await load(kernel, writeId);
    return write && isBy(write, agent) ? write : undefined;
  }

  return {
    async call(call) {
      const tool = kernel.tools.get(call.tool);
      if (!tool) return { refused: "unknown_tool" };
      const parsed = await parseArguments(kernel, tool, call.arguments);
      if ("refused" in parsed) return parsed;
      const clientKey = clientKeyOf(call);
      const replayed = clientKey && (await replay(kernel, call, clientKey, viewOf));
      if (replayed && replayed !== "anew") return replayed;
      const freshKey = replayed === "anew" ? undefined : clientKey;
      if (tool.effect === "write") return callWrite(tool, parsed, call, freshKey);
      const { conversation } = await kernel.store.readConversation(call.conversationId);
      return refuseUnverified(tool, conversation) ?? callRead(kernel, tool, parsed.args, call, freshKey);
    },

    async read({ agent, writeId }) {
      const write = await ownWrite(agent, writeId);
      return write ? viewOf(write) : { refused: "not_found" };
    },

    async readWhen({ agent, writeId, state, waitMs, signal }) {
      const first = await ownWrite(agent, writeId);
      if (!first) return { refused: "not_found" };
      const write = await readUntil(
        kernel,
        first.conversationId,
        () => ownWrite(agent, writeId),
        (current) => current === undefined || current.state !== state || isFinal(current),
        { waitMs, signal },
      );
      return write ? viewOf(write) : { refused: "not_found" };
    },

    async withdraw({ agent, writeId, reason }) {
      if (!(await ownWrite(agent, writeId))) return { refused: "not_found" };
      const salt = kernel.random.salt();
      const plain = reason === undefined ? undefined : bindOutcome(salt, { note: reason });
      const handled = await handle(kernel, writeId, () => ({
        type: "withdraw",
        at: kernel.clock.now(),
        by: { kind: "agent", ref: agent },
        reason: plain,
      }));
      if ("refused" in handled)
        return handled.refused === "not_found" ? handled : { refused: "already_decided" };
      return viewOf(handled.write);
    },
  };
}
