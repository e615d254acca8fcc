import { canonical } from "../base/canonical.ts";
import { deepFreeze, sameJson } from "../base/json.ts";
import type { Card } from "../card/model.ts";
import type { By, Surface } from "../flow/events.ts";
import type { OperatorPrincipal } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import type { WriteTool } from "../tool/define.ts";
import { confirmWrite, declineWrite, isTold } from "./decide.ts";
import type { PrincipalView } from "./engine.ts";
import { appendSteps, load } from "./handle.ts";
import { type Kernel, writeToolOf } from "./kernel.ts";
import { parseArguments } from "./parse-arguments.ts";
import { makeContent, proposeStep } from "./propose.ts";
import { toAgentWrite, toCard } from "./view.ts";
import type { AgentWrite } from "./views.ts";

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
    return sameJson(write.principal, principal) ? undefined : { refused: "not_found" };
  }

  async function answer(
    writeId: string,
    outcome: Write | Refusal,
  ): Promise<{ readonly card: Card; readonly write: AgentWrite } | Refusal> {
    if (!("refused" in outcome)) return { card: toCard(kernel, outcome), write: toAgentWrite(outcome, true) };
    const write = isTold(outcome) ? await load(kernel, writeId) : undefined;
    return write ? ({ ...outcome, card: toCard(kernel, write) } as Refusal) : outcome;
  }

  return {
    async preview({ tool: name, arguments: given, surface }) {
      const tool = writeToolOf(kernel, name);
      if (!tool || !mayUse(tool, surface)) return { refused: "unknown_tool" };
      const parsed = await parseArguments(kernel, tool, given);
      if ("refused" in parsed) return parsed;
      const content = makeContent(kernel, tool, {
        principal,
        args: parsed.args,
        argsText: parsed.text,
        locale: kernel.defaultLocale,
        timeZone: kernel.defaultTimeZone,
      });
      // Beginning with the time, like a write's own id: new rows then stand beside each other in the indexes by
      // conversation, instead of each on a page of its own, once there are many.
      const time = kernel.clock.now().toString(36).padStart(9, "0");
      const conversationId = kernel.random.id(`cv_${time}`);
      const confirmable = { ...tool, confirmation: "required" } as const;
      const step = proposeStep(kernel, confirmable, { by, conversationId, surface, content });
      await appendSteps(kernel, [step]);
      return { card: toCard(kernel, step.write) };
    },

    async confirm({ writeId, version, digest, surface, waitMs }) {
      const confirm: { writeId: string; version: number; digest: string; surface: Surface } = {
        writeId,
        version,
        digest,
        surface,
      };
      return answer(writeId, await confirmWrite(kernel, { ...confirm, waitMs, by, admit }));
    },

    async decline({ writeId, surface }) {
      return answer(writeId, await declineWrite(kernel, { writeId, surface, by, admit }));
    },
  };
}
