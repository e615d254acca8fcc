import { belongsTo } from "../../flow/principal.ts";
import type { Write } from "../../flow/write.ts";
import type { DeliveryRow } from "../../ports/store.ts";
import { load } from "../handle.ts";
import { type Kernel, timeText } from "../kernel.ts";
import { presenceOf } from "../presence.ts";
import { conversationOf, leaveChat, meetSender } from "./contact.ts";
import type { DeliveryEnd } from "./delivery-end.ts";
import type { ChatMessage } from "./message.ts";
import type { Answerable, InboxBody } from "./receive.ts";
import { nextAttempt, reportTrouble } from "./send.ts";
import { noteStatus } from "./status.ts";
import { answerTap, showAgain } from "./tap.ts";

export { inboxKind } from "./receive.ts";

type Inbound<Type extends Answerable["type"]> = Extract<Answerable, { readonly type: Type }>;

const hostMs = 15_000;

// Of one sender, one after the other: who taps No and then Yes in one second has said No. By the store too, in time of receipt.
const chains = new WeakMap<Kernel, Map<string, Promise<unknown>>>();

function inTurn<T>(kernel: Kernel, name: string, work: () => Promise<T>): Promise<T> {
  const ofKernel = chains.get(kernel) ?? new Map<string, Promise<unknown>>();
  chains.set(kernel, ofKernel);
  const before = ofKernel.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  ofKernel.set(name, mine);
  const done = (): void => {
    if (ofKernel.get(name) === mine) ofKernel.delete(name);
  };
  mine.then(done, done);
  return mine;
}

/** The write that a conversation waits for, where it is that of whoever is there now. */
async function openWriteOf(kernel: Kernel, conversationId: string): Promise<Write | undefined> {
  const { conversation, openWriteId } = await kernel.store.readConversation(conversationId);
  const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
  return open && belongsTo(open.principal, presenceOf(conversation)) ? open : undefined;
}

async function tellHost(kernel: Kernel, message: ChatMessage): Promise<boolean> {
  if (!kernel.onMessage) return true;
  let cancel = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    cancel = kernel.clock.after(hostMs, () => resolve(false));
  });
  try {
    const told = (async () => kernel.onMessage?.(message))();
    return await Promise.race([told.then(() => true), late]);
  } catch (error) {
    kernel.report(error, `handing a message of ${message.account} to onMessage`);
    return false;
  } finally {
    cancel();
  }
}

/** True for a text that says the same as one of the two buttons: somebody tries to answer by typing. */
function namesButton(text: string, write: Write | undefined): boolean {
  const said = text.trim().toLowerCase();
  const labels = [write?.card?.confirmLabel, write?.card?.declineLabel];
  return labels.some((label) => label?.trim().toLowerCase() === said);
}

// After a day nobody waits for the bot's answer any more.
const mostHostAttempts = 12;

async function answerText(
  kernel: Kernel,
  row: DeliveryRow,
  { account, receivedAt, event }: InboxBody & { readonly event: Inbound<"message"> | Inbound<"tap"> },
): Promise<DeliveryEnd> {
  const { sender } = event;
  const channel = kernel.channels.get(account);
  if (!channel) return "over";
  const conversation = await conversationOf(kernel, account, sender);
  const open = conversation && (await openWriteOf(kernel, conversation.id));
  const text = event.type === "tap" ? (event.label ?? event.payload) : event.text;
  const isTry = event.type === "tap" || namesButton(text, open);
  // A button of ours has to be tapped, however clear the words: it is shown once more.
  if (open && isTry && row.attempts === 1) await showAgain(kernel, row, open);
  const told = await tellHost(kernel, {
    messageId: event.messageId,
    account,
    channel: channel.kind,
    address: sender.address,
    conversationId: conversation?.id ?? null,
    text,
    at: timeText(event.at ?? receivedAt),
    openWrite: open ? { id: open.id, tool: open.tool, state: open.state } : null,
  });
  if (told) return "over";
  if (row.attempts < mostHostAttempts) return { againAt: nextAttempt(kernel, row.attempts) };
  kernel.report(
    new Error(`it failed ${row.attempts} times`),
    `giving up handing a message of ${account} to onMessage`,
  );
  return "over";
}

async function answer(kernel: Kernel, row: DeliveryRow, body: InboxBody): Promise<DeliveryEnd> {
  const { account, event, receivedAt } = body;
  switch (event.type) {
    case "status":
      return noteStatus(kernel, row, account, event);
    case "identity_changed":
      for (const former of event.former) await leaveChat(kernel, account, former);
      return "over";
    default: {
      const { sender } = event;
      return inTurn(kernel, `${account} ${sender.address}`, async () => {
        // A platform's clock that is ahead must not keep a window open.
        await meetSender(kernel, account, sender, Math.min(event.at ?? receivedAt, receivedAt));
        if (event.type === "tap" && event.token !== null) return answerTap(kernel, row, account, event);
        return answerText(kernel, row, { ...body, event });
      });
    }
  }
}

/** Answers one thing that came in. */
export async function answerMessage(kernel: Kernel, row: DeliveryRow): Promise<DeliveryEnd> {
  const body: InboxBody = JSON.parse(row.body);
  // Another process may know an account that this one does not.
  if (!kernel.channels.has(body.account)) {
    if (row.attempts < mostHostAttempts) return { againAt: nextAttempt(kernel, row.attempts) };
    reportTrouble(kernel, body.account, unknownAccount);
    return "over";
  }
  return answer(kernel, row, body);
}

const unknownAccount = {
  class: "auth",
  code: "not configured",
  detail: null,
  waitMs: null,
  tries: null,
  alert: true,
} as const;
