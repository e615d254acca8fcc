import type { InboundEvent } from "../../ports/channel.ts";
import { laterStatus } from "../../ports/delivery-status.ts";
import type { DeliveryRow, PromptRow } from "../../ports/store.ts";
import { handle, load } from "../handle.ts";
import { type Kernel, maxRounds } from "../kernel.ts";
import type { DeliveryEnd } from "./delivery-end.ts";
import { chatDelivery } from "./duties.ts";
import { undeliver } from "./show.ts";

type Status = Extract<InboundEvent, { readonly type: "status" }>;

// A status may be faster than the answer to the request that it is about.
const waitsMs: readonly number[] = [2_000, 10_000];

// A platform that takes prompts and then fails them is not asked for ever.
const mostPrompts = 4;

/** Moves a prompt on; as it was, with the status it has now, or undefined when this one says nothing new. */
async function move(
  kernel: Kernel,
  token: string,
  said: Status["status"],
): Promise<{ readonly from: PromptRow["status"]; readonly to: PromptRow["status"] } | undefined> {
  for (let round = 0; round < maxRounds; round += 1) {
    const prompt = await kernel.store.findPrompt(token);
    if (!prompt) return undefined;
    const later = laterStatus(prompt.status === "asked" ? "sent" : prompt.status, said);
    if (later === prompt.status) return undefined;
    if (await kernel.store.movePrompt(token, prompt.status, later)) return { from: prompt.status, to: later };
  }
  return undefined;
}

/** Takes what a platform says of a message: it never goes back, and a prompt that did not arrive is told to the agent. */
export async function noteStatus(
  kernel: Kernel,
  row: DeliveryRow,
  account: string,
  status: Status,
): Promise<DeliveryEnd> {
  const { providerMessageId, attempt, failure } = status;
  const prompt =
    (await kernel.store.findPromptByMessage(account, providerMessageId)) ??
    (attempt === null ? undefined : await kernel.store.findPrompt(attempt));
  if (!prompt || prompt.account !== account) {
    // Of anything but a prompt nothing depends on it.
    const waitMs = status.status === "failed" ? waitsMs[row.attempts - 1] : undefined;
    return waitMs === undefined ? "over" : { againAt: kernel.clock.now() + waitMs };
  }
  if (prompt.providerMessageId === null)
    await kernel.store.notePrompt(prompt.token, { providerMessageId, aliases: prompt.aliases });
  const moved = await move(kernel, prompt.token, status.status);
  if (!moved) return "over";
  const write = await load(kernel, prompt.writeId);
  if (write?.state !== "proposed" || write.version !== prompt.version) return "over";
  const { id, version } = write;
  if (moved.to !== "failed") {
    // The request for it had no answer, but it was taken.
    if (moved.from === "asked") await handle(kernel, id, () => ({ type: "present", version, account }));
    return "over";
  }
  const reason = failure?.class ?? "undeliverable";
  const code = failure?.code ?? null;
  if (reason === "retry_later" || reason === "window_closed") {
    const prompts = await kernel.store.listPrompts(id);
    if (prompts.filter((one) => one.version === version).length >= mostPrompts)
      return undeliver(kernel, write, account, reason === "retry_later" ? "out_of_time" : reason, code);
    // Shown anew, by a template where the window is closed; it tells the agent itself where that fails too.
    const how = reason === "window_closed" ? ({ closed: true } as const) : {};
    const again = chatDelivery(kernel, write.id, write.seq, "prompt", how);
    await kernel.store.append({
      guards: [],
      conversations: [],
      writes: [],
      key: null,
      deliveries: [{ ...again, id: `${again.id} ${prompt.token.slice(0, 16)}` }],
      now: kernel.clock.now(),
    });
    kernel.bell.ring();
    return "over";
  }
  return undeliver(kernel, write, account, reason, code);
}
