/** The customers of the demonstration. */
export const people = {
  ana: { customerId: "cus_ana", name: "Ana" },
  ben: { customerId: "cus_ben", name: "Ben" },
} as const;

/** Who a browser tab is signed in as. */
export type Person = keyof typeof people;

/** One line of a chat. Notices are the page's own words. A line with `writeId` is where that write was proposed. */
export type ChatLine = {
  readonly id: number;
  readonly from: "customer" | "assistant" | "notice";
  /** Whose line it is; nobody else is shown it. Null: said while nobody was signed in. */
  readonly person: Person | null;
  readonly text: string;
  readonly writeId: string | null;
};

/** What the bot remembers of one write. */
export type ChatWrite = {
  readonly writeId: string;
  readonly title: string;
  readonly person: Person | null;
  state: string;
};

/** One conversation as the bot keeps it, for as long as the process lives. */
export type Chat = {
  readonly id: string;
  person: Person | null;
  lastOrder: string | undefined;
  readonly lines: ChatLine[];
  readonly writes: ChatWrite[];
};

/** The conversations of this process. */
export type ChatLog = {
  find(id: string): Chat | undefined;
  open(id: string): Chat;
  say(chat: Chat, from: ChatLine["from"], person: Person | null, text: string, writeId?: string): void;
};

/** Keeps conversations in memory. */
export function chatLog(): ChatLog {
  const chats = new Map<string, Chat>();
  let lastId = 0;
  return {
    find: (id) => chats.get(id),
    open(id) {
      const chat = chats.get(id) ?? { id, person: null, lastOrder: undefined, lines: [], writes: [] };
      chats.set(id, chat);
      return chat;
    },
    say(chat, from, person, text, writeId) {
      lastId += 1;
      chat.lines.push({ id: lastId, from, person, text, writeId: writeId ?? null });
    },
  };
}
