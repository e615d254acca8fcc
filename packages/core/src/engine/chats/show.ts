import { sha256 } from "../../base/digest.ts";
import { messagesFor } from "../../card/messages.ts";
import type { UndeliveredReason } from "../../flow/events.ts";
import type { Write } from "../../flow/write.ts";
import type { OutboundMessage, SendFailure } from "../../ports/channel.ts";
import { laterStatus } from "../../ports/delivery-status.ts";
import { promptTokens } from "../../ports/prompt-token.ts";
import type { PromptRow } from "../../ports/store.ts";
import { handle } from "../handle.ts";
import type { Kernel } from "../kernel.ts";
import type { DeliveryEnd } from "./delivery-end.ts";
import type { ChatBody } from "./duties.ts";
import { makeReviewLink } from "./review-link.ts";
import { type Address, nextAttempt, sendMessage } from "./send.ts";
import { windowAt } from "./window.ts";

/** One attempt to show a write: which one, and what the attempts before it came to. */
export type Showing = {
  readonly write: Write;
  readonly to: Address;
  readonly body: ChatBody;
  /** Which attempt this is, from 1, and a name that no other delivery has. */
  readonly attempts: number;
  readonly name: string;
  /** Show it also where its prompt was shown before. */
  readonly again: boolean;
};

/** Records that a version cannot be shown, for the agent and the host. */
export async function undeliver(
  kernel: Kernel,
  { id, version }: Pick<Write, "id" | "version">,
  account: string,
  reason: UndeliveredReason,
  code: string | null = null,
): Promise<DeliveryEnd> {
  const why = code === null ? reason : `${reason}, code ${code}`;
  kernel.observer.warn(`write ${id} could not be shown by channel account ${account}: ${why}`);
  await handle(kernel, id, () => ({ type: "undeliver", version, account, reason, code }));
  return "over";
}

/** True when the platform took a prompt of this version to this address and it has not failed since. */
function isShown(prompts: readonly PromptRow[], { version }: Write, { account, address }: Address): boolean {
  return prompts.some(
    (prompt) =>
      prompt.version === version &&
      prompt.account === account &&
      prompt.address === address &&
      prompt.status !== "asked" &&
      prompt.status !== "failed",
  );
}

const bouncedMs = 5_000;

/** What follows a failure to show: another attempt in time, or the truth for the agent. */
function afterFailure(
  kernel: Kernel,
  showing: Showing,
  failure: SendFailure,
  window: { readonly open: boolean; readonly heard: boolean },
  sent: number,
): Promise<DeliveryEnd> | DeliveryEnd {
  const { write, to, attempts } = showing;
  const body: ChatBody = { ...showing.body, version: write.version, sent };
  const { code } = failure;
  switch (failure.class) {
    case "window_closed":
      if (!window.open) return undeliver(kernel, write, to.account, "window_closed", code);
      // Their clock may lag behind a message that just came in: once more, and then it is closed.
      if (window.heard && attempts === 1)
        return { againAt: kernel.clock.now() + bouncedMs, body: JSON.stringify(body) };
      return {
        againAt: kernel.clock.now(),
        body: JSON.stringify({ ...body, sent: 0, closed: true }),
      };
    case "retry_later": {
      const againAt = nextAttempt(kernel, attempts, failure.waitMs);
      const spent = failure.tries !== null && attempts >= failure.tries;
      if (spent || againAt >= write.expiresAt)
        return undeliver(kernel, write, to.account, "out_of_time", code);
      return { againAt, body: JSON.stringify(body) };
    }
    default:
      return undeliver(kernel, write, to.account, failure.class, code);
  }
}

/** A platform that took a message and did not say so gets it once more at the most: a second prompt is harmless, silence is not. */
const mostUnknown = 2;

/**
 * Shows the version that a write is at, in the chat of its conversation. What goes before the prompt is sent first; the
 * prompt only after the platform took that.
 */
export async function showWrite(kernel: Kernel, showing: Showing): Promise<DeliveryEnd> {
  const { write, to, body, attempts, name, again } = showing;
  const { account, channel, address } = to;
  const { card } = write;
  if (write.state !== "proposed" || !card) return "over";
  if (!again && isShown(await kernel.store.listPrompts(write.id), write, to)) return "over";
  if (card.risk === "high") return undeliver(kernel, write, account, "surface_unsupported");
  const contact = await kernel.store.findContact(account, address);
  const window = body.closed ? "closed" : windowAt(kernel.clock.now(), contact);
  const promptId = kernel.random.id("");
  const token = sha256(promptId);
  const time = { expiresAt: write.expiresAt, window };
  const reviewUrl = window === "open" ? await makeReviewLink(kernel, write) : undefined;
  const linked = reviewUrl && channel.prompt(card, promptTokens(promptId), { ...time, reviewUrl });
  // The link is a courtesy: what only fits without it goes without it.
  const prompt =
    linked && linked.kind === "messages" ? linked : channel.prompt(card, promptTokens(promptId), time);
  if (prompt.kind !== "messages") return undeliver(kernel, write, account, prompt.kind);
  const lead =
    window === "open" && write.previous?.by === "drift"
      ? channel.tell(messagesFor(card.locale).chat.changed, card.locale)
      : [];
  const messages: readonly OutboundMessage[] = [...lead, ...prompt.messages];
  const done = body.version === write.version ? (body.sent ?? 0) : 0;
  for (const [index, message] of messages.entries()) {
    if (index < done) continue;
    const isPrompt = message.kind === "prompt";
    if (isPrompt) {
      const aliases = [...new Set([address, ...(contact?.userId != null ? [contact.userId] : [])])];
      await kernel.store.putPrompt({
        token,
        writeId: write.id,
        version: write.version,
        account,
        address,
        aliases,
        providerMessageId: null,
        status: "asked",
      });
    }
    const attempt = isPrompt ? token : `${name}.${attempts}.${index}`;
    const result = await sendMessage(kernel, to, message, attempt, "prompt");
    if (result.kind === "failed") {
      if (isPrompt) await kernel.store.movePrompt(token, "asked", "failed");
      return afterFailure(
        kernel,
        showing,
        result.failure,
        { open: window === "open", heard: contact !== undefined },
        index,
      );
    }
    if (result.kind === "unknown") {
      if (attempts >= mostUnknown && isPrompt) return "over";
      if (attempts < mostUnknown)
        return {
          againAt: nextAttempt(kernel, attempts, 20_000),
          body: JSON.stringify({ ...body, version: write.version, sent: index }),
        };
      continue;
    }
    if (isPrompt) await keepSent(kernel, token, result);
  }
  await handle(kernel, write.id, () => ({ type: "present", version: write.version, account }));
  return "over";
}

/** Keeps what the platform answered. A status, or the tap itself, may have been faster. */
async function keepSent(
  { store }: Kernel,
  token: string,
  said: { readonly providerMessageId: string; readonly aliases: readonly string[] },
): Promise<void> {
  await store.notePrompt(token, said);
  const status = (await store.findPrompt(token))?.status;
  if (status === "asked") await store.movePrompt(token, "asked", laterStatus(null, "sent"));
}
