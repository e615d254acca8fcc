import { canonical } from "../base/canonical.ts";
import { sha256 } from "../base/digest.ts";
import { IntegrityError } from "../base/errors.ts";
import { deepFreeze, sameJson } from "../base/json.ts";
import { isPrintableAscii } from "../base/text.ts";
import type { Card } from "../card/model.ts";
import type { By } from "../flow/events.ts";
import type { OperatorPrincipal } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import type { KeyRow } from "../ports/store.ts";
import type { WriteTool } from "../tool/define.ts";
import { confirmWrite, declineWrite, defaultWaitMs, isTold } from "./decide.ts";
import type { PrincipalView } from "./engine.ts";
import { appendSteps, load } from "./handle.ts";
import { type Kernel, maxRounds, writeToolOf } from "./kernel.ts";
import { parseArguments } from "./parse-arguments.ts";
import { previewWrite, refusalOf } from "./preview.ts";
import { lifetimeOf, makeContent, proposeStep } from "./propose.ts";
import { toAgentWrite, toCard } from "./view.ts";
import type { AgentWrite } from "./views.ts";
import { readUntil } from "./wait.ts";

/** The tool as an operator meets it: always with confirmation. Copied only where need be, since a tool is a wide object. */
function confirmable(tool: WriteTool): WriteTool {
  return tool.confirmation === "required" ? tool : { ...tool, confirmation: "required" };
}

/** What one authenticated operator may do with tools, by one kernel. */
export function makePrincipalView(kernel: Kernel, given: OperatorPrincipal): PrincipalView {
  // A copy of its own: what the caller changes later on changes nobody's identity.
  const principal: OperatorPrincipal = deepFreeze(JSON.parse(canonical(given)));
  const by: By = { kind: "operator", ref: principal.actorId };

  /** Whether this principal may use a tool on a surface; for others it does not exist. */
  function mayUse({ access, risk }: WriteTool, surface: "mcp" | "cli"): boolean {
    if (risk === "high" && surface === "mcp") return false;
    return (
      access.roles.includes(principal.role) &&
      access.scopes.every((scope) => principal.scopes.includes(scope))
    );
  }

  /** Every member counts: another role or scope than at the preview is another principal. */
  function admit(write: Write): Refusal | undefined {
    return write.card && sameJson(write.principal, principal) ? undefined : { refused: "not_found" };
  }

  async function answer(
    writeId: string,
    outcome: Write | Refusal,
  ): Promise<{ readonly card: Card; readonly write: AgentWrite } | Refusal> {
    if (!("refused" in outcome)) return { card: toCard(kernel, outcome), write: toAgentWrite(outcome, true) };
    const write = isTold(outcome) ? await load(kernel, writeId) : undefined;
    return write ? ({ ...outcome, card: toCard(kernel, write) } as Refusal) : outcome;
  }

  /** The row that a client's key becomes when it confirms this write, or why it cannot. */
  async function keyFor(writeId: string, key: string): Promise<KeyRow | Refusal> {
    if (!isPrintableAscii(key, 200)) {
      const message = "is not 1 to 200 printable ASCII characters";
      return { refused: "invalid_arguments", issues: [{ pointer: "/idempotencyKey", message }] };
    }
    const write = await load(kernel, writeId);
    const refused = write ? admit(write) : ({ refused: "not_found" } as const);
    if (!write || refused) return refused ?? { refused: "not_found" };
    return {
      scope: canonical(["operator", principal]),
      key,
      fingerprint: sha256(canonical({ tool: write.tool, arguments: write.args ?? null })),
      writeId,
      answer: null,
      customerRef: null,
      keepUntil: kernel.clock.now() + kernel.retention.keysMs,
    };
  }

  /** What a client's key led to before, or why it cannot be used for this; undefined while it is free for it. */
  async function replayKey(
    { scope, key, fingerprint, writeId }: KeyRow,
    waitMs: number | undefined,
  ): Promise<Awaited<ReturnType<PrincipalView["confirm"]>> | undefined> {
    const row = await kernel.store.findKey(scope, key, kernel.clock.now());
    const read = async (id: string): Promise<Write> => {
      const write = await load(kernel, id);
      if (!write) throw new IntegrityError(`write ${id}: a key names it and it is gone`);
      return write;
    };
    const id = row?.writeId ?? writeId ?? "";
    if (!row) {
      const write = await read(id);
      const consumed = "decision" in write && write.decision?.kind === "confirm";
      return consumed ? { refused: "already_decided", card: toCard(kernel, write) } : undefined;
    }
    if (row.fingerprint !== fingerprint) return { refused: "idempotency_key_reused" };
    const ended = (write: Write): boolean => write.state !== "running";
    const first = await read(id);
    const wait = { waitMs: waitMs ?? defaultWaitMs };
    const write = await readUntil(kernel, first.conversationId, () => read(id), ended, wait);
    if (!ended(write)) return { refused: "call_in_progress" };
    return { card: toCard(kernel, write), write: toAgentWrite(write, true), replayed: true, oneTime: null };
  }

  return {
    async preview({ tool: name, arguments: given, surface }) {
      const tool = writeToolOf(kernel, name);
      if (!tool || !mayUse(tool, surface)) return { refused: "unknown_tool" };
      const parsed = await parseArguments(kernel, tool, given);
      if ("refused" in parsed) return parsed;
      // Beginning with the time, like a write's own id: new rows then stand beside each other in the indexes by
      // conversation, instead of each on a page of its own, once there are many.
      const time = kernel.clock.now().toString(36).padStart(9, "0");
      const conversationId = kernel.random.id(`cv_${time}`);
      const validSeconds = lifetimeOf(tool, surface);
      const previewed = await previewWrite(kernel, tool, {
        args: parsed.args,
        conversationId,
        principal,
        validSeconds,
      });
      if (previewed.kind === "noop") return { noop: true };
      const unseen = refusalOf(previewed, { refused: "preview_unavailable" });
      if (unseen) return unseen;
      const plan = previewed.kind === "plan" ? previewed.plan : undefined;
      const content = makeContent(kernel, tool, {
        principal,
        args: parsed.args,
        argsText: parsed.text,
        plan,
        locale: kernel.defaultLocale,
        timeZone: kernel.defaultTimeZone,
      });
      const step = proposeStep(kernel, confirmable(tool), { by, conversationId, surface, content });
      await appendSteps(kernel, [step]);
      return { card: toCard(kernel, step.write), plan: plan ?? null };
    },

    async confirm({ writeId, version, digest, surface, waitMs, idempotencyKey }) {
      const mayStill = (write: Write): Refusal | undefined => {
        const tool = writeToolOf(kernel, write.tool);
        const refused = admit(write);
        if (refused || write.state !== "proposed") return refused;
        // A finished write is told to whoever confirmed it; one that waits is run only for whoever still may.
        return tool && !mayUse(tool, surface) ? { refused: "unknown_tool" } : undefined;
      };
      for (let round = 0; round < maxRounds; round += 1) {
        const key = idempotencyKey === undefined ? undefined : await keyFor(writeId, idempotencyKey);
        if (key && "refused" in key) return key;
        const replayed = key && (await replayKey(key, waitMs));
        if (replayed) return replayed;
        const outcome = await confirmWrite(kernel, {
          writeId,
          version,
          digest,
          surface,
          waitMs,
          by,
          key,
          admit: mayStill,
        });
        // Somebody used the key at the same time; what it stands for is known now.
        if ("refused" in outcome && outcome.refused === "call_in_progress") continue;
        const told = await answer(writeId, outcome);
        if ("refused" in told) return told;
        const { card, write } = told;
        return { card, write, replayed: false, oneTime: kernel.handouts.take(writeId) };
      }
      throw new IntegrityError(`write ${writeId}: gave up after ${maxRounds} lost races`);
    },

    async decline({ writeId, surface }) {
      return answer(writeId, await declineWrite(kernel, { writeId, surface, by, admit }));
    },
  };
}
