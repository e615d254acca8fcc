import { canonical } from "../base/canonical.ts";
import type { Instant } from "../base/clock.ts";
import { sha256 } from "../base/digest.ts";
import { ConfigurationError, IntegrityError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { commitTo } from "../flow/content.ts";
import { rule } from "../flow/machine.ts";
import { belongsTo, type Presence } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import { isFinal, type Write } from "../flow/write.ts";
import type { ConversationRow, KeyRow } from "../ports/store.ts";
import type { ReadTool, Tool, WriteTool } from "../tool/define.ts";
import { isOutcome, type Outcome, outcomeKind } from "../tool/outcome.ts";
import type { AgentView, CallAnswer } from "./engine.ts";
import { appendSteps, handle, load, type Step, stepOf } from "./handle.ts";
import { type Kernel, maxRounds } from "./kernel.ts";
import { makeContent, proposeStep } from "./propose.ts";
import { callWithin, customerOf } from "./run.ts";
import { toAgentWrite } from "./view.ts";
import { readUntil } from "./wait.ts";

const keyLifetimeMs = 24 * 60 * 60 * 1000;

/** Who is in a conversation, from its row or the lack of one. */
export function presenceOf(conversation: ConversationRow | undefined): Presence {
  return { epoch: conversation?.epoch ?? 0, customerRef: conversation?.customerRef ?? null };
}

type Call = Parameters<AgentView["call"]>[0];

/** A client's key within its scope, with the fingerprint of what it was used for. */
type ClientKey = { readonly scope: string; readonly key: string; readonly fingerprint: string };

function clientKeyOf(call: Call): ClientKey | undefined {
  if (call.idempotencyKey === undefined) return undefined;
  const { agent, conversationId, tool } = call;
  return {
    scope: canonical([agent, conversationId]),
    key: call.idempotencyKey,
    fingerprint: sha256(canonical({ tool, arguments: call.arguments })),
  };
}

function keyRow(clientKey: ClientKey, rest: Pick<KeyRow, "writeId" | "answer" | "customerRef" | "keepUntil">): KeyRow {
  return { ...clientKey, ...rest };
}

/** What an agent may do, by one kernel. */
export function makeAgentView(kernel: Kernel): AgentView {
  async function agentWrite(write: Write): Promise<ReturnType<typeof toAgentWrite>> {
    const { conversation } = await kernel.store.readConversation(write.conversationId);
    return toAgentWrite(write, belongsTo(write.principal, presenceOf(conversation)));
  }

  /** The first answer of a key that was used before; "anew" when there is none to give; undefined when it is free. */
  async function replay(clientKey: ClientKey, tool: string): Promise<CallAnswer | Refusal | "anew" | undefined> {
    const row = await kernel.store.findKey(clientKey.scope, clientKey.key, kernel.clock.now());
    if (!row) return undefined;
    if (row.fingerprint !== clientKey.fingerprint) return { refused: "idempotency_key_reused" };
    if (row.writeId !== null) {
      const write = await load(kernel, row.writeId);
      if (!write) throw new IntegrityError(`write ${row.writeId}: a key names it and it is gone`);
      return { kind: "write", write: await agentWrite(write), created: false, replayed: true };
    }
    if (row.answer === null) return { refused: "call_in_progress" };
    const conversationId = (JSON.parse(row.scope) as string[])[1] ?? "";
    const { conversation } = await kernel.store.readConversation(conversationId);
    // A former customer's answer is not for the present one: the read is made again and not kept.
    if (presenceOf(conversation).customerRef !== row.customerRef) return "anew";
    return { kind: "result", tool, result: JSON.parse(row.answer), replayed: true };
  }

  async function runRead(tool: ReadTool, args: JsonObject, conversationId: string): Promise<CallAnswer | Refusal> {
    const { conversation } = await kernel.store.readConversation(conversationId);
    const customer = await customerOf(kernel, conversationId, conversation?.customerRef ?? null);
    const ending = await callWithin(kernel, tool.timeoutSeconds, (signal) =>
      tool.handler(args, { signal, secrets: kernel.secrets, customer, conversationId }),
    );
    if (ending.kind === "timed_out") return { refused: "tool_timed_out" };
    if (ending.kind === "threw") return { refused: "tool_failed" };
    const { value } = ending;
    if (!isOutcome(value)) return readResult(tool, value);
    const outcome = value as Outcome<unknown>;
    switch (outcomeKind(outcome)) {
      case "applied":
        return readResult(tool, (outcome as { value: unknown }).value);
      case "rejected":
        return { refused: "tool_failed", message: (outcome as { message: string }).message };
      case "step_up_required": {
        const { level = "high", maxAuthAgeSeconds } = outcome as Extract<Outcome<never>, { level?: unknown }>;
        return { refused: "verification_required", level, ...(maxAuthAgeSeconds !== undefined && { maxAuthAgeSeconds }) };
      }
      default:
        return { refused: "tool_failed" };
    }
  }

  async function readResult(tool: ReadTool, value: unknown): Promise<CallAnswer | Refusal> {
    const parsed = await tool.parseOutput(value);
    if ("issues" in parsed) return { refused: "tool_failed" };
    return { kind: "result", tool: tool.name, result: parsed.value, replayed: false };
  }

  async function callRead(
    tool: ReadTool,
    args: JsonObject,
    call: Call,
    clientKey: ClientKey | undefined,
  ): Promise<CallAnswer | Refusal> {
    if (!clientKey) return runRead(tool, args, call.conversationId);
    const now = kernel.clock.now();
    const { conversation } = await kernel.store.readConversation(call.conversationId);
    const customerRef = conversation?.customerRef ?? null;
    // The claim outlives the tool's timeout a little; when the process dies, the key is free again after that.
    const inFlight = { writeId: null, answer: null, customerRef, keepUntil: now + (tool.timeoutSeconds + 30) * 1000 };
    const claimed = await kernel.store.claimKey(keyRow(clientKey, inFlight), now);
    if (claimed !== "claimed") return { refused: "call_in_progress" };
    let answer: CallAnswer | Refusal | undefined;
    try {
      answer = await runRead(tool, args, call.conversationId);
      return answer;
    } finally {
      const { scope, key } = clientKey;
      if (answer && "kind" in answer && answer.kind === "result") {
        await kernel.store.answerKey(scope, key, canonical(answer.result), kernel.clock.now() + keyLifetimeMs);
      } else {
        await kernel.store.releaseKey(scope, key);
      }
    }
  }

  /** Refuses a flood, and the write that this customer has just declined. */
  async function checkLimits(
    tool: WriteTool,
    conversationId: string,
    argsText: string,
    now: Instant,
  ): Promise<Refusal | undefined> {
    const { proposalsPerMinute, repeatAfterDeclineSeconds } = kernel.limits;
    const sinceMs = Math.max(proposalsPerMinute > 0 ? 60_000 : 0, repeatAfterDeclineSeconds > 0 ? 86_400_000 : 0);
    if (sinceMs === 0) return undefined;
    const { rows } = await kernel.store.listWrites({ conversationId, createdSince: now - sinceMs, limit: 200 });
    for (const row of rows) {
      const waitMs = (row.decidedAt ?? 0) + repeatAfterDeclineSeconds * 1000 - now;
      if (row.state !== "declined" || row.tool !== tool.name || waitMs <= 0) continue;
      const declined = await load(kernel, row.id);
      if (declined?.args && canonical(declined.args) === argsText) {
        return { refused: "recently_declined", writeId: row.id, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      }
    }
    const recent = rows.filter((row) => row.createdAt > now - 60_000);
    const oldest = recent[proposalsPerMinute - 1];
    if (proposalsPerMinute > 0 && oldest) {
      return { refused: "rate_limited", retryAfterSeconds: Math.max(1, Math.ceil((oldest.createdAt + 60_000 - now) / 1000)) };
    }
    return undefined;
  }

  /** The step that expires an overdue proposal in the way, the same proposal again, or the refusal that it makes. */
  function meetOpenWrite(
    open: Write,
    tool: WriteTool,
    argsText: string,
    presence: Presence,
    now: Instant,
  ): { readonly expire: Step } | { readonly same: Write } | Refusal {
    const ruling = rule(open, { type: "expire", at: now });
    if (ruling.kind === "events") return { expire: stepOf(kernel, open.id, open, ruling.events) };
    const own = belongsTo(open.principal, presence);
    const same = open.state === "proposed" && open.tool === tool.name && open.args && canonical(open.args) === argsText;
    if (own && same) return { same: open };
    return { refused: "write_in_progress", writeId: open.id, state: open.state };
  }

  async function callWrite(
    tool: WriteTool,
    args: JsonObject,
    argsText: string,
    call: Call,
    clientKey: ClientKey | undefined,
  ): Promise<CallAnswer | Refusal> {
    const { conversationId } = call;
    for (let round = 0; round < maxRounds; round += 1) {
      const now = kernel.clock.now();
      const { conversation, openWriteId } = await kernel.store.readConversation(conversationId);
      const presence = presenceOf(conversation);
      const refused = refuseUnverified(tool, conversation);
      if (refused) return refused;
      const steps: Step[] = [];
      const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
      if (open) {
        const met = meetOpenWrite(open, tool, argsText, presence, now);
        if ("refused" in met) return met;
        if ("same" in met) return { kind: "write", write: toAgentWrite(met.same, true), created: false, replayed: false };
        steps.push(met.expire);
      }
      const limited = await checkLimits(tool, conversationId, argsText, now);
      if (limited) return limited;
      const content = makeContent(kernel, tool, {
        principal: { kind: "customer", conversationId, ...presence },
        args,
        argsText,
        locale: conversation?.locale ?? kernel.defaultLocale,
        timeZone: conversation?.timeZone ?? kernel.defaultTimeZone,
      });
      const by = { kind: "agent", ref: call.agent } as const;
      const proposed = proposeStep(kernel, tool, { by, conversationId, surface: "web", content });
      const kept = { writeId: proposed.write.id, answer: null, customerRef: presence.customerRef, keepUntil: now + keyLifetimeMs };
      const result = await appendSteps(kernel, [...steps, proposed], {
        guards: [{ conversationId, epoch: presence.epoch }],
        key: clientKey ? keyRow(clientKey, kept) : null,
      });
      if (result.kind === "appended") {
        const { write } = proposed;
        const settled = write.state === "running" ? await kernel.runner.start(write) : write;
        const view = settled === write ? toAgentWrite(write, true) : await agentWrite(settled);
        return { kind: "write", write: view, created: true, replayed: false };
      }
      if (result.on === "key" && clientKey) {
        const replayed = await replay(clientKey, tool.name);
        if (replayed && replayed !== "anew") return replayed;
      }
    }
    throw new IntegrityError(`conversation ${conversationId}: gave up after ${maxRounds} lost races`);
  }

  function refuseUnverified(tool: Tool, conversation: ConversationRow | undefined): Refusal | undefined {
    const verified = conversation !== undefined && conversation.customerRef !== null;
    return tool.customer === "any" || verified ? undefined : { refused: "verification_required", level: "low" };
  }

  /** A write this agent proposed itself; anything else does not exist for it. */
  async function ownWrite(agent: string, writeId: string): Promise<Write | undefined> {
    const write = await load(kernel, writeId);
    return write?.proposedBy.kind === "agent" && write.proposedBy.ref === agent ? write : undefined;
  }

  return {
    async call(call) {
      const tool = kernel.tools.get(call.tool);
      if (!tool) return { refused: "unknown_tool" };
      const parsed = await tool.parseInput(call.arguments).catch((error: unknown) => {
        if (!(error instanceof ConfigurationError)) throw error;
        kernel.report(error, `reading arguments of tool "${tool.name}"`);
        return undefined;
      });
      if (!parsed) return { refused: "tool_failed" };
      if ("issues" in parsed) return { refused: "invalid_arguments", issues: parsed.issues };
      const clientKey = clientKeyOf(call);
      const replayed = clientKey && (await replay(clientKey, tool.name));
      if (replayed && replayed !== "anew") return replayed;
      const freshKey = replayed === "anew" ? undefined : clientKey;
      if (tool.effect === "write") return callWrite(tool, parsed.args, parsed.text, call, freshKey);
      const { conversation } = await kernel.store.readConversation(call.conversationId);
      return refuseUnverified(tool, conversation) ?? callRead(tool, parsed.args, call, freshKey);
    },

    async read({ agent, writeId }) {
      const write = await ownWrite(agent, writeId);
      return write ? agentWrite(write) : { refused: "not_found" };
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
      return write ? agentWrite(write) : { refused: "not_found" };
    },

    async withdraw({ agent, writeId, reason }) {
      if (!(await ownWrite(agent, writeId))) return { refused: "not_found" };
      const salt = kernel.random.salt();
      const plain = reason === undefined ? undefined : { salt, outcome: commitTo(salt, { note: reason }) };
      const handled = await handle(kernel, writeId, () => ({
        type: "withdraw",
        at: kernel.clock.now(),
        by: { kind: "agent", ref: agent },
        reason: plain,
      }));
      if ("refused" in handled) return handled.refused === "not_found" ? handled : { refused: "already_decided" };
      return agentWrite(handled.write);
    },
  };
}
