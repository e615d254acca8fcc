import type { Channel, OutboundMessage } from "../ports/channel.ts";
import type { ChannelSubject } from "./channel-contract/case.ts";
import { paperChannel } from "./paper-channel.ts";

/** A channel with one fault, to prove that the contract finds it. */
export type BrokenChannel = {
  /** What it does wrong. */
  readonly name: string;
  /** Name of a contract case that it fails. */
  readonly fails: string;
  open(): ChannelSubject;
};

function broken(name: string, fails: string, fault: (channel: Channel) => Partial<Channel>): BrokenChannel {
  return {
    name,
    fails,
    open() {
      const paper = paperChannel();
      return { ...paper, channel: { ...paper.channel, ...fault(paper.channel) } };
    },
  };
}

function cut(message: OutboundMessage): OutboundMessage {
  return { ...message, text: message.text.slice(0, 300) };
}

/** Faults that chat adapters have had. */
export const brokenChannels: readonly [BrokenChannel, ...BrokenChannel[]] = [
  broken(
    "cuts what does not fit",
    "CHAN-1 however long its values are, a card is shown whole or not at all",
    (channel) => ({
      prompt(card, tokens, time) {
        const prompt = channel.prompt(card, tokens, time);
        if (prompt.kind !== "messages") return channel.prompt({ ...card, description: "…" }, tokens, time);
        const [first, ...rest] = prompt.messages;
        return { kind: "messages", messages: [cut(first), ...rest.map(cut)] };
      },
    }),
  ),
  broken(
    "puts the buttons on every message",
    "CHAN-2 the last message is the only prompt, and holds what decides",
    (channel) => ({
      prompt(card, tokens, time) {
        const prompt = channel.prompt(card, tokens, time);
        if (prompt.kind !== "messages") return prompt;
        const [first, ...rest] = prompt.messages;
        const ask = (message: OutboundMessage): OutboundMessage => ({ ...message, kind: "prompt" });
        return { kind: "messages", messages: [ask(first), ...rest.map(ask)] };
      },
    }),
  ),
  broken(
    "cuts labels",
    "CHAN-3 a label that is longer than a button, or reads like the other one, is refused",
    (channel) => ({
      prompt: (card, tokens, time) =>
        channel.prompt({ ...card, confirmLabel: card.confirmLabel.slice(0, 20) }, tokens, time),
    }),
  ),
  broken(
    "takes the label for the decision",
    "CHAN-7 a tap on any other button has no token, whatever its label says",
    (channel) => ({
      read(request) {
        const reading = channel.read(request);
        if (reading.kind !== "events") return reading;
        const events = reading.events.map((event) =>
          event.type === "tap" && event.label === "Confirm" ? { ...event, token: "cs1.k3.c" } : event,
        );
        return { ...reading, events };
      },
    }),
  ),
  broken(
    "takes a typed word for a tap",
    "CHAN-7 typed text is never a tap, also when it is a label or a token",
    (channel) => ({
      read(request) {
        const reading = channel.read(request);
        if (reading.kind !== "events") return reading;
        const events = reading.events.map((event) =>
          event.type === "message"
            ? ({ ...event, type: "tap", token: "cs1.k3.c", payload: event.text, label: null } as const)
            : event,
        );
        return { ...reading, events };
      },
    }),
  ),
  broken(
    "reads without looking at the signature",
    "CHAN-8 nothing is read without a signature",
    (channel) => ({
      read(request) {
        const reading = channel.read(request);
        const answer = { status: 200, contentType: "text/plain", body: "" };
        return reading.kind === "refused" ? { kind: "events", events: [], ignored: {}, answer } : reading;
      },
    }),
  ),
  broken(
    "makes up an id for every delivery",
    "CHAN-10 the same message delivered twice has the same id, another one has another",
    (channel) => {
      let count = 0;
      return {
        read(request) {
          const reading = channel.read(request);
          if (reading.kind !== "events") return reading;
          const events = reading.events.map((event) => {
            count += 1;
            return "messageId" in event ? { ...event, messageId: `${count}` } : event;
          });
          return { ...reading, events };
        },
      };
    },
  ),
  broken(
    "takes silence for a failure",
    "CHAN-13 a message that was not answered, or answered without an id, is neither sent nor failed",
    (channel) => ({
      async send(to, message, context) {
        const result = await channel.send(to, message, context);
        const failure = { code: null, detail: null, waitMs: null, tries: null, alert: false } as const;
        return result.kind === "unknown"
          ? { kind: "failed", failure: { ...failure, class: "retry_later" } }
          : result;
      },
    }),
  ),
  broken(
    "finds nothing wrong where nobody answered",
    "CHAN-25 a check that was not answered is a problem, and says what to do",
    (channel) => ({
      async check(context) {
        await channel.check(context);
        return [];
      },
    }),
  ),
];
