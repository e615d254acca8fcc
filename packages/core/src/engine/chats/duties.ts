import type { EventType } from "../../flow/events.ts";
import type { ConversationRow, DeliveryRow } from "../../ports/store.ts";
import type { Step } from "../handle.ts";
import type { Kernel } from "../kernel.ts";

/** What a chat is told of a write: to decide on it, what became of it, or that the customer has to verify first. */
export type Duty = "prompt" | "outcome";

/** The kind of the deliveries to chats. */
export const chatKind = "chat";

/** What one of these deliveries keeps. `sent`: how many of its messages the platform took. */
export type ChatBody = {
  readonly seq: number;
  readonly duty: Duty;
  readonly version?: number;
  readonly sent?: number;
  /** The platform said that the window is closed, whatever this process believes. */
  readonly closed?: true;
  /** To be shown also where it was shown before. */
  readonly again?: true;
};

const prompting: ReadonlySet<string> = new Set<EventType>(["proposed", "edited", "drifted", "rebound"]);
const telling: ReadonlySet<string> = new Set<EventType>([
  "settled",
  "resolved",
  "declined",
  "expired",
  "withdrawn",
  "superseded",
  "step_up_required",
]);

function dutyOf({ write, append }: Step): Duty | undefined {
  const types = append.events.map(({ type }) => type);
  if (write.state === "proposed") return types.some((type) => prompting.has(type)) ? "prompt" : undefined;
  return types.some((type) => telling.has(type)) ? "outcome" : undefined;
}

/** A delivery to the chat of a write's conversation, as of the write's event `seq`. */
export function chatDelivery(
  kernel: Kernel,
  writeId: string,
  seq: number,
  duty: Duty,
  how: Pick<ChatBody, "again" | "closed"> = {},
): DeliveryRow {
  const body: ChatBody = { seq, duty, ...how };
  return {
    // Padded, since those of one write are made in order of id.
    id: `${writeId}.${String(seq).padStart(6, "0")} ${chatKind}`,
    kind: chatKind,
    writeId,
    body: JSON.stringify(body),
    dueAt: kernel.clock.now(),
    attempts: 0,
  };
}

/** What an append of these steps makes to be told in chats. `conversations`: rows that the same append puts. */
export async function chatDeliveries(
  kernel: Kernel,
  steps: readonly Step[],
  conversations: readonly ConversationRow[],
): Promise<readonly DeliveryRow[]> {
  const deliveries: DeliveryRow[] = [];
  for (const step of steps) {
    const duty = dutyOf(step);
    const { id, conversationId, seq } = step.write;
    if (duty === undefined) continue;
    const row =
      conversations.find((candidate) => candidate.id === conversationId) ??
      (await kernel.store.readConversation(conversationId)).conversation;
    if (row?.channel != null) deliveries.push(chatDelivery(kernel, id, seq, duty));
  }
  return deliveries;
}
