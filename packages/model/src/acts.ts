import { actOnScreen, look } from "./acts-of-customers.ts";
import type { LedgerWrite } from "./ledger.ts";
import type { Process } from "./process.ts";
import { isCertain } from "./provider.ts";
import { findOrder, writeTools } from "./shop-tools.ts";
import type { Stage } from "./stage.ts";
import { orders, type Step } from "./steps.ts";

const people = ["ana", "ben"] as const;
const agents = ["bot", "other-bot"] as const;
const levels = ["low", "standard", "high"] as const;
const conversations = 3;

// A client's key counts for a day.
const keyCountsMs = 86_400_000;

type Meaning = { readonly id: string; readonly until: number };

/** Does what steps say, on one stage. */
export function acts(stage: Stage): (step: Step, process: Process) => Promise<void> {
  const { request, name, book, time } = stage;
  const meanings = new Map<string, Meaning>();
  const nameOf = (conversation: number): string => `cv-${name}-${conversation % conversations}`;

  function writeAt(index: number): LedgerWrite | undefined {
    const all = [...book.writes.values()];
    return all.at(-1 - (index % Math.max(1, all.length)));
  }

  function propose(step: Extract<Step, { do: "propose" }>, process: Process): void {
    const conversationId = nameOf(step.conversation);
    const agent = agents[step.agent % agents.length] ?? "bot";
    const tool = writeTools[step.tool % writeTools.length]?.tool.name ?? "";
    const orderId = orders[step.args % orders.length] ?? "";
    const given = { orderId, amount: step.args, ...(step.args % 2 === 1 && { note: orderId }) };
    const key = step.clientKey === 0 ? undefined : `client-${step.clientKey}`;
    const askedAt = time.now();
    const call = {
      agent,
      conversationId,
      tool,
      arguments: given,
      ...(key !== undefined && { idempotencyKey: key }),
    };
    void request(
      process,
      "agent",
      { conversationId },
      () => process.engine.agent.call(call),
      (answer) => {
        if (key === undefined || "refused" in answer || answer.kind !== "write") return;
        const means = `${agent} ${conversationId} ${key}`;
        const first = meanings.get(means);
        const { id } = answer.write;
        if (first && time.now() < first.until && first.id !== id)
          stage.blame(4, `a client's key means ${first.id} and ${id}`);
        if (first?.id !== id) meanings.set(means, { id, until: askedAt + keyCountsMs });
      },
    );
  }

  return async (step, process) => {
    const { engine } = process;
    const nobody = { conversationId: null };
    switch (step.do) {
      case "verify": {
        const conversationId = nameOf(step.conversation);
        const customerId = `${name}-${people[step.person % people.length]}`;
        const level = levels[step.level % levels.length] ?? "low";
        const verified = { conversationId, customerId, level, authenticatedAt: time.now() };
        void request(process, "operator", { conversationId }, () => engine.host.customerVerified(verified));
        return;
      }
      case "signOut": {
        const conversationId = nameOf(step.conversation);
        const signOut = () => engine.host.customerSignedOut(conversationId);
        void request(process, "operator", { conversationId }, signOut);
        return;
      }
      case "look":
        return look(stage, process, nameOf(step.conversation));
      case "propose":
        return propose(step, process);
      case "find": {
        const conversationId = nameOf(step.conversation);
        const keyed = step.clientKey === 0 ? {} : { idempotencyKey: `read-${step.clientKey}` };
        const asked = {
          agent: "bot",
          conversationId,
          tool: findOrder.name,
          arguments: { orderId: "A-1042" },
        };
        void request(process, "agent", { conversationId }, () => engine.agent.call({ ...asked, ...keyed }));
        return;
      }
      case "read":
      case "withdraw": {
        const write = writeAt(step.write);
        if (!write || write.agent === null) return;
        const named = { agent: write.agent, writeId: write.id };
        const { conversationId } = write;
        void request(process, "agent", { conversationId }, () => engine.agent[step.do](named));
        return;
      }
      case "confirm":
      case "decline":
      case "extend":
      case "undo":
      case "edit":
        return actOnScreen(stage, process, step);
      case "resolve": {
        const write = writeAt(step.write);
        const certain = write ? isCertain(stage.provider.of(write.key)) : null;
        // An honest operator, who says nothing before it is certain.
        if (!write || certain === null) return;
        const outcome = certain ? "applied" : "not_applied";
        const resolved = { writeId: write.id, outcome, note: "asked the shop", operator: "Olga" } as const;
        void request(process, "operator", nobody, () => engine.operator.resolve(resolved));
        return;
      }
      case "inspect": {
        const write = writeAt(step.write);
        if (!write) return;
        void request(process, "operator", nobody, () => engine.operator.read(write.id));
        void request(process, "operator", nobody, () => engine.operator.journal(write.id));
        return;
      }
      case "due":
        void request(process, "operator", nobody, () => engine.runDue());
        return;
      case "finish":
        return stage.provider.finish(step.which, step.done);
      case "reprice":
        stage.around.price.now += step.by;
        return;
      case "crash":
        return stage.crash(process);
      case "break":
        process.store.failing = step.failing;
        process.store.times = step.times;
        return;
      case "advance":
        return time.advance(step.ms, () => stage.order.release(step.releases ?? 8));
      case "release":
        return;
    }
  };
}
