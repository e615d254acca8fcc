import type { Instant } from "@countersign/core";

/** What became of a message. Of the business: as the platform knows it. Of the customer: whether its webhook was taken. */
export type MessageStatus = "accepted" | "delivered" | "read" | "failed" | "sending" | "taken" | "not_taken";

/** One message as a phone shows it. */
export type ThreadMessage = {
  /** The platform's id of it. */
  readonly id: string;
  readonly from: "business" | "customer";
  readonly kind: "text" | "prompt" | "tap" | "reaction";
  readonly text: string;
  /** What stands on the buttons. They stay where they are after a tap. */
  readonly buttons: readonly string[];
  /** The message that was tapped, reacted to or forwarded. */
  readonly about: string | null;
  readonly at: Instant;
  readonly status: MessageStatus;
  /** Grows with every change of the thread: what has a greater one than you have seen is new to you. */
  readonly revision: number;
};

/** The messages of one chat, in their order. */
export type Thread = {
  messages(): readonly ThreadMessage[];
  find(id: string): ThreadMessage | undefined;
  add(message: Omit<ThreadMessage, "revision">): ThreadMessage;
  /** Sets the status of a message. A message that failed stays so, and one that was read too. */
  mark(id: string, status: MessageStatus): void;
  /** The messages that changed after a revision, in the order of their last change. */
  since(revision: number): readonly ThreadMessage[];
  /** Calls `hear` with each change until the returned function is called. */
  listen(hear: (message: ThreadMessage) => void): () => void;
};

const isFinal = (status: MessageStatus): boolean => status === "failed" || status === "read";

/** An empty thread. */
export function thread(): Thread {
  const messages: ThreadMessage[] = [];
  const listeners = new Set<(message: ThreadMessage) => void>();
  let revision = 0;
  const tell = (message: ThreadMessage): ThreadMessage => {
    for (const hear of listeners) hear(message);
    return message;
  };
  return {
    messages: () => [...messages],
    find: (id) => messages.find((message) => message.id === id),
    add(message) {
      revision += 1;
      const added = { ...message, revision };
      messages.push(added);
      return tell(added);
    },
    mark(id, status) {
      const index = messages.findIndex((message) => message.id === id);
      const found = messages[index];
      if (found === undefined || found.status === status || isFinal(found.status)) return;
      revision += 1;
      const changed = { ...found, status, revision };
      messages[index] = changed;
      tell(changed);
    },
    since: (seen) =>
      messages.filter((message) => message.revision > seen).sort((a, b) => a.revision - b.revision),
    listen(hear) {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
  };
}
