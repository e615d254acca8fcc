import type { DeliveryRow } from "../ports/store.ts";
import { answerMessage, inboxKind } from "./chats/answer.ts";
import type { DeliveryEnd } from "./chats/delivery-end.ts";
import { chatKind } from "./chats/duties.ts";
import { tellChat } from "./chats/tell-chat.ts";
import type { Kernel } from "./kernel.ts";
import { tellReceiver } from "./tell.ts";

// One attempt must be over before somebody else may take it, and what a killed process had taken comes back soon.
const leaseMs = 45_000;
const batch = 50;

/** Takes what is to be delivered now. */
export function takeDeliveries(kernel: Kernel): Promise<readonly DeliveryRow[]> {
  return kernel.store.takeDeliveries({ now: kernel.clock.now(), limit: batch, leaseMs });
}

function attempt(kernel: Kernel, row: DeliveryRow): Promise<DeliveryEnd> {
  switch (row.kind) {
    case chatKind:
      return tellChat(kernel, row);
    case inboxKind:
      return answerMessage(kernel, row);
    default:
      return tellReceiver(kernel, row);
  }
}

/** Makes one delivery that was taken. */
export async function deliver(kernel: Kernel, row: DeliveryRow): Promise<void> {
  const end = await attempt(kernel, row);
  if (end === "over") await kernel.store.finishDelivery(row.id);
  else await kernel.store.retryDelivery(row.id, end.againAt, end.body);
}

/** True when this process makes deliveries at all. */
export function delivers({ receivers, channels }: Kernel): boolean {
  return receivers.length > 0 || channels.size > 0;
}

/** Makes every delivery that is due now. */
export async function runDeliveries(kernel: Kernel): Promise<void> {
  while (delivers(kernel)) {
    const rows = await takeDeliveries(kernel);
    const results = await Promise.allSettled(rows.map((row) => deliver(kernel, row)));
    for (const result of results) {
      if (result.status === "rejected") kernel.report(result.reason, "making a delivery");
    }
    // Making one may have let the next of its write through.
    if (rows.length === 0) return;
  }
}
