import { setMaxListeners } from "node:events";
import type { Chat, ChatLog, ChatWrite, Person } from "./chat-log.ts";
import type { BotWrite, Called, CountersignApi } from "./countersign-api.ts";
import type { Intent } from "./understand.ts";
import { understand } from "./understand.ts";
import { orderIn, orderText, refusalText, writeText } from "./words.ts";

/** Answers customers' sentences and tells them how their writes end. */
export type Assistant = {
  /** Resolves when the answer stands in the chat. */
  hear(chat: Chat, person: Person | null, text: string): Promise<void>;
  stop(): void;
};

const helpText =
  "I can find, cancel or refund an order, change its address, add a note, book a delivery day or take today's offer. For example: cancel order A-1042 because it arrives too late.";

const consentText =
  "I cannot decide for you, and words in the chat do not count. Please use the buttons on the card.";

const titles: { readonly [tool: string]: string } = {
  cancel_order: "Cancel order",
  change_address: "Change address",
  refund_order: "Refund",
  add_note: "Note",
  book_slot: "Delivery day",
  take_offer: "Offer",
};

const final = new Set(["applied", "not_applied", "declined", "expired", "withdrawn", "superseded"]);

type Call = { readonly tool: string; readonly args: Record<string, unknown> };

/** The call an intent leads to, or the question that has to be answered first. Refunds need the order looked up. */
function callFor(
  intent: Exclude<Intent, { wants: "withdraw" | "consent" | "help" | "refund" }>,
  orderNumber: string,
): Call | string {
  switch (intent.wants) {
    case "find":
      return { tool: "find_order", args: { orderNumber } };
    case "cancel":
      return {
        tool: "cancel_order",
        args: {
          orderNumber,
          reason: intent.reason,
          channel: "chat",
          internalNote: "Asked for in the shop's chat.",
        },
      };
    case "address":
      if (intent.address === undefined)
        return "Where to? Please say: change the address of A-1042 to street, city, postal code.";
      return { tool: "change_address", args: { orderNumber, ...intent.address } };
    case "note":
      if (intent.text === "") return "What should the note say? Please say: add a note: …";
      return { tool: "add_note", args: { orderNumber, text: intent.text } };
    case "book":
      if (intent.date === undefined) return "On which day? Please say: book a slot on 2026-12-10.";
      return { tool: "book_slot", args: { orderNumber, date: intent.date } };
    case "offer":
      return { tool: "take_offer", args: { orderNumber, percent: 10 } };
  }
}

/** The scripted assistant of the shop. It reaches Countersign over HTTP with the agent's key only. */
export function scriptedAssistant(api: CountersignApi, log: ChatLog): Assistant {
  const stopped = new AbortController();
  // Every write that is followed listens to it.
  setMaxListeners(0, stopped.signal);

  async function follow(chat: Chat, kept: ChatWrite, write: BotWrite): Promise<void> {
    let state = write.state;
    while (!final.has(state) && !stopped.signal.aborted) {
      const next = await api.waitForWrite(write.id, state, 30, stopped.signal);
      if (next.state === state) continue;
      state = next.state;
      kept.state = state;
      if (state !== "running") log.say(chat, "assistant", kept.person, writeText(next));
    }
  }

  function resultText(called: Extract<Called, { kind: "result" }>): string {
    if (called.noop === true) return "That is how it is already, so there is nothing to change.";
    const order = orderIn(called.result);
    return order === undefined ? "I find no such order of yours." : orderText(order);
  }

  function tellWrite(chat: Chat, person: Person | null, write: BotWrite): void {
    if (chat.writes.some(({ writeId }) => writeId === write.id)) {
      log.say(chat, "assistant", person, writeText(write));
      return;
    }
    const title = titles[write.tool] ?? write.tool;
    const kept: ChatWrite = { writeId: write.id, title, person, state: write.state };
    chat.writes.push(kept);
    const text = write.state === "proposed" ? "Please check this and decide." : writeText(write);
    log.say(chat, "assistant", person, text, write.id);
    follow(chat, kept, write).catch((cause: unknown) => {
      if (!stopped.signal.aborted) console.error(`The assistant lost sight of ${write.id}.`, cause);
    });
  }

  function tell(chat: Chat, person: Person | null, called: Called): void {
    if (called.kind === "write") tellWrite(chat, person, called.write);
    else
      log.say(
        chat,
        "assistant",
        person,
        called.kind === "result" ? resultText(called) : refusalText(called.problem),
      );
  }

  async function withdraw(chat: Chat, person: Person | null): Promise<void> {
    const open = chat.writes.findLast((write) => write.person === person && !final.has(write.state));
    if (open === undefined) {
      log.say(chat, "assistant", person, "Nothing is waiting that I could withdraw.");
      return;
    }
    const answer = await api.withdraw(open.writeId, "You asked for it in the chat.");
    // The one who follows the write says how it ended.
    if ("code" in answer)
      log.say(chat, "assistant", person, "It is too late to withdraw this: it was already decided.");
  }

  async function refund(chat: Chat, person: Person | null, orderNumber: string): Promise<void> {
    const looked = await api.call(chat.id, "find_order", { orderNumber });
    const order = looked.kind === "result" ? orderIn(looked.result) : undefined;
    if (order === undefined) {
      tell(chat, person, looked);
      return;
    }
    const args = { amountMinor: order.totalMinor, currency: order.currency, orderNumber };
    tell(chat, person, await api.call(chat.id, "refund_order", args));
  }

  return {
    async hear(chat, person, text) {
      log.say(chat, "customer", person, text);
      const say = (answer: string): void => log.say(chat, "assistant", person, answer);
      const intent = understand(text);
      if (intent.wants === "help") {
        say(helpText);
      } else if (intent.wants === "consent") {
        say(consentText);
      } else if (intent.wants === "withdraw") {
        await withdraw(chat, person);
      } else {
        const orderNumber = intent.order ?? chat.lastOrder;
        chat.lastOrder = orderNumber;
        if (orderNumber === undefined) {
          say("Which order? Please name its number, such as A-1042.");
        } else if (intent.wants === "refund") {
          await refund(chat, person, orderNumber);
        } else {
          const call = callFor(intent, orderNumber);
          if (typeof call === "string") say(call);
          else tell(chat, person, await api.call(chat.id, call.tool, call.args));
        }
      }
    },
    stop: () => stopped.abort(),
  };
}
