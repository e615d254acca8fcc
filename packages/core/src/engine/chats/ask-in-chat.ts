import type { Refusal } from "../../flow/refusal.ts";
import type { Write } from "../../flow/write.ts";
import { load } from "../handle.ts";
import type { Kernel } from "../kernel.ts";
import { chatDelivery } from "./duties.ts";

/**
 * Answers a confirm from a page that was opened by a link in a chat: whoever has the link need not be the customer, so the
 * decision is asked in the chat, by a fresh prompt.
 */
export async function askInChat(
  kernel: Kernel,
  writeId: string,
  admit: (write: Write) => Refusal | undefined,
): Promise<Refusal> {
  const write = await load(kernel, writeId);
  const refused = write ? admit(write) : ({ refused: "not_found" } as const);
  if (refused) return refused;
  if (write?.state === "proposed") {
    const delivery = chatDelivery(kernel, writeId, write.seq, "prompt", { again: true });
    await kernel.store.append({
      guards: [],
      conversations: [],
      writes: [],
      key: null,
      deliveries: [{ ...delivery, id: `${delivery.id} ${kernel.random.id("")}` }],
      now: kernel.clock.now(),
    });
    kernel.bell.ring();
  }
  return { refused: "surface_unsupported" };
}
