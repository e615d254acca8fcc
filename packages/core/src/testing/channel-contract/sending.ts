import assert from "node:assert/strict";
import { type ChannelCase, exampleContext } from "./case.ts";

/** Cases of `send` and `check`. */
export const sending: readonly ChannelCase[] = [
  {
    name: "CHAN-12 what the platform took has its id, and names who may answer",
    async run({ channel, answer, customer }) {
      answer("sent");
      const [message] = channel.tell("Done.", "en");
      const result = await channel.send(customer, message, exampleContext());
      assert(result.kind === "sent", result.kind);
      assert.notEqual(result.providerMessageId, "");
      assert(result.aliases.includes(customer));
    },
  },
  {
    name: "CHAN-12 a busy platform is asked again later, a closed window is told as such",
    async run({ channel, answer, customer }) {
      const [message] = channel.tell("Done.", "en");
      answer("busy");
      const busy = await channel.send(customer, message, exampleContext());
      assert(busy.kind === "failed", busy.kind);
      assert.equal(busy.failure.class, "retry_later");
      answer("window_closed");
      const closed = await channel.send(customer, message, exampleContext());
      assert(closed.kind === "failed", closed.kind);
      assert.equal(closed.failure.class, "window_closed");
    },
  },
  {
    name: "CHAN-13 a message that was not answered, or answered without an id, is neither sent nor failed",
    async run({ channel, answer, asked, customer }) {
      const [message] = channel.tell("Done.", "en");
      answer("no_id");
      assert.equal((await channel.send(customer, message, exampleContext())).kind, "unknown");
      answer("silent");
      const stop = new AbortController();
      const pending = channel.send(customer, message, exampleContext({ signal: stop.signal }));
      await asked();
      stop.abort();
      assert.equal((await pending).kind, "unknown");
    },
  },
  {
    name: "CHAN-12 an address that cannot be one of the platform's is not tried",
    async run({ channel, answer }) {
      answer("sent");
      const [message] = channel.tell("Done.", "en");
      const result = await channel.send("nobody@shop.example", message, exampleContext());
      assert(result.kind === "failed", result.kind);
      assert.equal(result.failure.class, "undeliverable");
    },
  },
  {
    name: "CHAN-25 a check that was not answered is a problem, and says what to do",
    async run({ channel, answer, asked }) {
      answer("silent");
      const stop = new AbortController();
      const checking = channel.check({ webhookPath: "/v1/channels/shop/webhook", signal: stop.signal });
      await asked();
      stop.abort();
      const problems = await checking;
      assert(problems.length > 0);
      for (const { what, where, next } of problems) assert(![what, where, next].includes(""));
    },
  },
];
