import assert from "node:assert/strict";
import { promptTokens } from "../../ports/prompt-token.ts";
import { bare, type ChannelCase, exampleCard, missingTexts, readAloud } from "./case.ts";

const tokens = promptTokens("0123456789abcdefABCD_-");
const open = { expiresAt: Date.UTC(2026, 11, 1, 14, 30), window: "open" } as const;

/** Cases of `prompt` and `tell`. */
export const asking: readonly ChannelCase[] = [
  {
    name: "CHAN-1 a prompt shows everything that the card shows",
    async run({ channel }) {
      const prompt = channel.prompt(exampleCard(), tokens, open);
      assert.equal(prompt.kind, "messages");
      assert.deepEqual(missingTexts(exampleCard(), prompt), []);
    },
  },
  {
    name: "CHAN-1 however long its values are, a card is shown whole or not at all",
    async run({ channel }) {
      const kinds: Set<string> = new Set();
      for (let length = 1; length < 20_000; length = Math.ceil(length * 1.3)) {
        const display = Array.from({ length }, (_, index) => String.fromCodePoint(0x61 + (index % 26))).join(
          "",
        );
        const card = exampleCard({ description: display });
        const prompt = channel.prompt(card, tokens, open);
        kinds.add(prompt.kind);
        if (prompt.kind === "messages")
          assert.deepEqual(missingTexts(card, prompt), [], `${length} characters`);
      }
      assert.deepEqual([...kinds], ["messages", "confirmation_too_long"]);
    },
  },
  {
    name: "CHAN-2 the last message is the only prompt, and holds what decides",
    async run({ channel }) {
      const card = exampleCard({ description: "A long story. ".repeat(60).trim() });
      const prompt = channel.prompt(card, tokens, open);
      assert(prompt.kind === "messages");
      const kinds = prompt.messages.map(({ kind }) => kind);
      assert.equal(kinds.indexOf("prompt"), kinds.length - 1);
      const last = bare(prompt.messages.at(-1)?.text ?? "");
      const decisive = [card.title, "€48.00", "Open", "Cancelled", ...card.warnings, card.confirmLabel];
      for (const text of [...decisive, card.declineLabel]) assert(last.includes(bare(text)), text);
    },
  },
  {
    name: "CHAN-2 a decision that does not fit beside the buttons is refused, and says by how much",
    async run({ channel }) {
      const warnings = Array.from({ length: 60 }, (_, index) => `Warning number ${index} is one to read.`);
      const prompt = channel.prompt(exampleCard({ warnings }), tokens, open);
      assert(prompt.kind === "confirmation_too_long");
      assert.equal(prompt.part, "prompt");
      assert(prompt.length > prompt.limit);
    },
  },
  {
    name: "CHAN-3 a label that is longer than a button, or reads like the other one, is refused",
    async run({ channel }) {
      const cards = [
        exampleCard({ confirmLabel: "Cancel this whole one" }),
        exampleCard({ declineLabel: "Cancel order " }),
        exampleCard({ declineLabel: " " }),
      ];
      for (const card of cards) {
        const prompt = channel.prompt(card, tokens, open);
        assert(prompt.kind === "confirmation_too_long");
        assert.equal(prompt.part, "label");
      }
    },
  },
  {
    name: "CHAN-6 a prompt carries each token once, and nothing else carries one",
    async run({ channel }) {
      const prompt = channel.prompt(
        exampleCard({ description: "A long story. ".repeat(60).trim() }),
        tokens,
        open,
      );
      assert(prompt.kind === "messages");
      const count = (text: string, part: string): number => text.split(part).length - 1;
      const bodies = prompt.messages.map(({ body }) => JSON.stringify(body));
      for (const token of [tokens.confirm, tokens.decline]) {
        const counts = bodies.map((body) => count(body, token));
        assert.deepEqual(counts, [...bodies.slice(1).map(() => 0), 1]);
      }
      for (const { text } of prompt.messages) assert(!text.includes("cs1."));
    },
  },
  {
    name: "CHAN-5 outside the window nothing is asked without a template",
    async run({ channel }) {
      const prompt = channel.prompt(exampleCard(), tokens, { ...open, window: "closed" });
      assert.deepEqual(prompt, { kind: "window_closed" });
    },
  },
  {
    name: "CHAN-16 a long note is told whole, in order, in as few messages as it needs",
    async run({ channel }) {
      const note = Array.from({ length: 900 }, (_, index) => `Sentence ${index} says it.`).join(" ");
      const messages = channel.tell(note, "en");
      assert(messages.length > 1);
      assert.equal(readAloud(messages), bare(note));
      assert.equal(channel.tell("Done.", "en").length, 1);
      assert(messages.every(({ kind }) => kind === "text"));
    },
  },
  {
    name: "CHAN-16 a receipt names the outcome, what it was about and its reference",
    async run({ channel }) {
      const messages = channel.tell(
        {
          outcome: "applied",
          title: "Order cancelled",
          message: "The refund is on its way.",
          fields: [{ label: "Status", display: "cancelled" }],
          settledAt: "2026-12-01T12:00:00.000Z",
          reference: "wr_1",
          undo: null,
        },
        "en",
      );
      const read = readAloud(messages);
      for (const text of ["Order cancelled", "The refund is on its way.", "Status: cancelled", "wr_1"]) {
        assert(read.includes(bare(text)), text);
      }
    },
  },
];
