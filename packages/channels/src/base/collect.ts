import type { InboundEvent, Reading, WebhookAnswer } from "@countersign/core";

/** Why an item of a webhook is left out. */
export type Ignored =
  | "account"
  | "duplicate"
  | "echo"
  | "field"
  | "kind"
  | "malformed"
  | "object"
  | "sender"
  | "standby"
  | "status";

/** An item as an event, or why it is none. */
export type Found = InboundEvent | Ignored;

/** Gathers what a webhook request holds. */
export type Collector = {
  /** Takes an event, or counts an item that is left out; the same event twice in one request counts once. */
  take(found: Found): void;
  /** Goes through items so that one that cannot be read does not keep the others from being read. */
  each(items: readonly unknown[], read: (item: object) => void): void;
  done(answer: WebhookAnswer): Reading;
};

/** A collector for one request. */
export function collector(): Collector {
  const events: InboundEvent[] = [];
  const seen: Set<string> = new Set();
  const ignored: { [reason: string]: number } = {};
  const take = (found: Found): void => {
    const key = typeof found === "object" && "messageId" in found ? found.messageId : undefined;
    if (typeof found === "object" && (key === undefined || !seen.has(key))) {
      if (key !== undefined) seen.add(key);
      events.push(found);
    } else {
      const reason: Ignored = typeof found === "string" ? found : "duplicate";
      ignored[reason] = (ignored[reason] ?? 0) + 1;
    }
  };
  return {
    take,
    each(items, read) {
      for (const item of items) {
        if (typeof item === "object" && item !== null) read(item);
        else take("malformed");
      }
    },
    done: (answer) => ({ kind: "events", events, ignored, answer }),
  };
}
