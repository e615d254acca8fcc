import { sha256 } from "../../base/digest.ts";
import { messagesFor } from "../../card/messages.ts";
import type { Receipt } from "../../card/model.ts";
import type { By } from "../../flow/events.ts";
import { belongsTo, type Presence } from "../../flow/principal.ts";
import type { Refusal } from "../../flow/refusal.ts";
import type { Write } from "../../flow/write.ts";
import type { InboundEvent } from "../../ports/channel.ts";
import { parsePromptToken } from "../../ports/prompt-token.ts";
import type { ConversationRow, DeliveryRow, PromptRow } from "../../ports/store.ts";
import { confirmWrite, declineWrite } from "../decide.ts";
import { load } from "../handle.ts";
import type { Kernel } from "../kernel.ts";
import { presenceOf } from "../presence.ts";
import type { DeliveryEnd } from "./delivery-end.ts";
import { nextAttempt, reportTrouble, sendMessage } from "./send.ts";
import { showWrite } from "./show.ts";
import { addressOf, saidOf } from "./tell-chat.ts";

type Tap = Extract<InboundEvent, { readonly type: "tap" }>;

/** How long a tap waits for the outcome before the customer hears that it is being carried out. */
const waitMs = 8_000;

const mostAttempts = 6;

/** Sends one answer to whoever tapped. What cannot be sent is tried again with the whole tap, which by then is an old one. */
async function say(
  kernel: Kernel,
  row: DeliveryRow,
  to: { readonly account: string; readonly address: string },
  said: readonly (string | Receipt)[],
  locale: string,
): Promise<DeliveryEnd> {
  const channel = kernel.channels.get(to.account);
  if (!channel) return "over";
  const messages = said.flatMap((one) => channel.tell(one, locale));
  for (const [index, message] of messages.entries()) {
    const attempt = `${sha256(row.id)}.${row.attempts}.${index}`;
    const result = await sendMessage(kernel, { ...to, channel }, message, attempt, "answer");
    if (result.kind !== "failed") continue;
    if (result.failure.class === "retry_later" && row.attempts < mostAttempts && index === 0)
      return { againAt: nextAttempt(kernel, row.attempts, result.failure.waitMs) };
    reportTrouble(kernel, to.account, result.failure);
    return "over";
  }
  return "over";
}

/** Shows the open write once more, whatever was shown before. */
export async function showAgain(kernel: Kernel, row: DeliveryRow, write: Write): Promise<DeliveryEnd> {
  const { conversation } = await kernel.store.readConversation(write.conversationId);
  const to = addressOf(kernel, conversation);
  if (!to || write.state !== "proposed") return "over";
  const body = { seq: write.seq, duty: "prompt" } as const;
  return showWrite(kernel, { write, to, body, attempts: row.attempts, name: sha256(row.id), again: true });
}

/** True when this very tap can only come from whom the prompt was sent to, on the message that it was sent as. */
function isGenuine(prompt: PromptRow, account: string, tap: Tap): boolean {
  const mayTap = new Set([prompt.address, ...prompt.aliases]);
  return (
    prompt.account === account &&
    tap.sender.aliases.some((alias) => mayTap.has(alias)) &&
    (tap.providerMessageId === null ||
      prompt.providerMessageId === null ||
      tap.providerMessageId === prompt.providerMessageId)
  );
}

/** True while the conversation still lives where the prompt went. */
function isHere(conversation: ConversationRow | undefined, { account, address }: PromptRow): boolean {
  return conversation?.channel === account && conversation.address === address;
}

function refuseOthers(presence: Presence): (write: Write) => Refusal | undefined {
  return (write) => (belongsTo(write.principal, presence) ? undefined : { refused: "not_found" });
}

/**
 * Answers a tap on one of our buttons. It decides only for whom the prompt was sent to, on the version that it showed, while
 * that waits; any other tap runs nothing and hears what is true.
 */
export async function answerTap(
  kernel: Kernel,
  row: DeliveryRow,
  account: string,
  tap: Tap,
): Promise<DeliveryEnd> {
  const token = parsePromptToken(tap.token ?? "");
  const prompt = token && (await kernel.store.findPrompt(sha256(token.promptId)));
  const sender = { account, address: tap.sender.address };
  const write = prompt && (await load(kernel, prompt.writeId));
  const { conversation } = write
    ? await kernel.store.readConversation(write.conversationId)
    : { conversation: undefined };
  const presence = presenceOf(conversation);
  const isTheirs =
    write &&
    isGenuine(prompt, account, tap) &&
    isHere(conversation, prompt) &&
    belongsTo(write.principal, presence);
  if (!isTheirs || !token) {
    const locale = conversation?.locale ?? kernel.defaultLocale;
    return say(kernel, row, sender, [messagesFor(locale).chat.notHere], locale);
  }
  if (prompt.providerMessageId === null && tap.providerMessageId !== null) {
    const { providerMessageId } = tap;
    await kernel.store.notePrompt(prompt.token, { providerMessageId, aliases: prompt.aliases });
  }
  const locale = write.card?.locale ?? kernel.defaultLocale;
  const { chat } = messagesFor(locale);
  const answerOld = async (): Promise<DeliveryEnd> => {
    const now = (await load(kernel, write.id)) ?? write;
    if (now.state === "proposed") return showAgain(kernel, row, now);
    const said = saidOf(kernel, now);
    return say(kernel, row, sender, said === undefined ? [chat.answered] : [chat.answered, said], locale);
  };
  if (write.state !== "proposed" || write.version !== prompt.version) return answerOld();
  const by: By = { kind: "customer", ref: presence.customerRef };
  const surface = kernel.channels.get(account)?.kind ?? "whatsapp";
  const decision = { writeId: write.id, surface, epoch: presence.epoch, by, admit: refuseOthers(presence) };
  const decided =
    token.decision === "decline"
      ? await declineWrite(kernel, decision)
      : await confirmWrite(kernel, { ...decision, version: write.version, digest: write.digest, waitMs });
  if (!("refused" in decided)) {
    // What became of it is told by the delivery of its event; only what takes long needs a word before.
    const said = decided.state === "running" ? saidOf(kernel, decided) : undefined;
    return said === undefined ? "over" : say(kernel, row, sender, [said], locale);
  }
  switch (decided.refused) {
    case "drifted":
      // The changed version is shown by the delivery of its event.
      return "over";
    case "preview_unavailable":
      return say(kernel, row, sender, [chat.tryLater], locale);
    default:
      return answerOld();
  }
}
