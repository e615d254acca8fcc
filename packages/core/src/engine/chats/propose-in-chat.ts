import type { FrozenCard } from "../../card/model.ts";
import type { Surface } from "../../flow/events.ts";
import type { Refusal } from "../../flow/refusal.ts";
import { promptTokens } from "../../ports/prompt-token.ts";
import type { ConversationRow } from "../../ports/store.ts";
import type { WriteTool } from "../../tool/define.ts";
import type { Kernel } from "../kernel.ts";
import { lifetimeOf } from "../propose.ts";
import { addressOf } from "./tell-chat.ts";
import { lifetimeInChat, windowAt } from "./window.ts";

/** Where a proposal will be decided on, and how long it may wait there. */
export type Place = {
  readonly surface: Surface;
  readonly lifetimeMs: number;
  /** Why this card cannot be decided on there. */
  refuse(card: FrozenCard): Refusal | undefined;
};

/** The place where the customer of a conversation is. */
export async function placeOf(
  kernel: Kernel,
  tool: WriteTool,
  conversation: ConversationRow | undefined,
): Promise<Place> {
  const to = addressOf(kernel, conversation);
  if (!to) {
    return { surface: "web", lifetimeMs: lifetimeOf(tool, "web") * 1000, refuse: () => undefined };
  }
  const { account, address, channel } = to;
  const now = kernel.clock.now();
  const contact = await kernel.store.findContact(account, address);
  const lifetimeMs = lifetimeInChat(now, lifetimeOf(tool, channel.kind) * 1000, contact);
  return {
    surface: channel.kind,
    lifetimeMs,
    refuse(card) {
      if (tool.confirmation === "none") return undefined;
      if (card.risk === "high") return { refused: "surface_unsupported" };
      const time = { expiresAt: now + lifetimeMs, window: windowAt(now, contact) } as const;
      // As long as any real id, which is all that its length depends on.
      const prompt = channel.prompt(card, promptTokens(kernel.random.id("")), time);
      if (prompt.kind !== "confirmation_too_long") return undefined;
      const { kind: refused, part, limit, length, unit } = prompt;
      return { refused, part, limit, length, unit };
    },
  };
}
