import assert from "node:assert/strict";
import type { InboundRequest, Reading } from "../../ports/channel.ts";
import { promptTokens } from "../../ports/prompt-token.ts";
import type { ChannelCase, ChannelSubject } from "./case.ts";

const tokens = promptTokens("k3");

function tapOn(subject: ChannelSubject, payload: string): InboundRequest {
  return subject.inbound({
    type: "tap",
    messageId: "in-1",
    from: subject.customer,
    payload,
    label: "Confirm",
  });
}

function eventsOf(reading: Reading): Extract<Reading, { kind: "events" }>["events"] {
  assert(reading.kind === "events", reading.kind);
  return reading.events;
}

function assertRefused(reading: Reading): void {
  assert(reading.kind === "refused", reading.kind);
  assert.equal(reading.answer.status, 401);
  assert(!reading.hint.includes("cs1."));
}

/** Cases of `read`. */
export const hearing: readonly ChannelCase[] = [
  {
    name: "CHAN-7 a tap on one of our buttons gives its token and who tapped",
    async run(subject) {
      const [tap, ...more] = eventsOf(subject.channel.read(tapOn(subject, tokens.decline)));
      assert(tap?.type === "tap");
      assert.deepEqual(more, []);
      assert.equal(tap.token, tokens.decline);
      assert.equal(tap.payload, tokens.decline);
      assert(tap.sender.aliases.includes(subject.customer));
      assert(tap.sender.aliases.includes(tap.sender.address));
      assert(!tap.sender.aliases.includes(subject.stranger));
    },
  },
  {
    name: "CHAN-7 a tap on any other button has no token, whatever its label says",
    async run(subject) {
      for (const payload of ["Confirm", "", "GET_STARTED", "cs1.k3.y", "cs1..c", " cs1.k3.c", "cs1.k3.c\n"]) {
        for (const event of eventsOf(subject.channel.read(tapOn(subject, payload)))) {
          assert(event.type === "tap", payload);
          assert.deepEqual([event.token, event.payload], [null, payload]);
        }
      }
    },
  },
  {
    name: "CHAN-7 typed text is never a tap, also when it is a label or a token",
    async run(subject) {
      for (const text of ["Confirm", "yes", tokens.confirm]) {
        const request = subject.inbound({ type: "text", messageId: "in-2", from: subject.customer, text });
        const [event, ...more] = eventsOf(subject.channel.read(request));
        assert(event?.type === "message");
        assert.deepEqual([event.text, more], [text, []]);
      }
    },
  },
  {
    name: "CHAN-8 nothing is read from a body that was changed on the way",
    async run({ channel, inbound, customer }) {
      const request = inbound({ type: "text", messageId: "in-3", from: customer, text: "hello there" });
      const body = new TextEncoder().encode(new TextDecoder().decode(request.body).replace("hello", "jello"));
      assert.notDeepEqual(body, request.body);
      assertRefused(channel.read({ ...request, body }));
    },
  },
  {
    name: "CHAN-8 nothing is read without a signature",
    async run(subject) {
      const request = tapOn(subject, tokens.confirm);
      const header = (name: string): string | null => (/signature/i.test(name) ? null : request.header(name));
      assertRefused(subject.channel.read({ ...request, header }));
      assertRefused(subject.channel.read({ ...request, header: () => "sha256=" }));
    },
  },
  {
    name: "CHAN-10 the same message delivered twice has the same id, another one has another",
    async run(subject) {
      const idOf = (request: InboundRequest): string => {
        const [event] = eventsOf(subject.channel.read(request));
        assert(event?.type === "tap");
        return event.messageId;
      };
      assert.equal(idOf(tapOn(subject, tokens.confirm)), idOf(tapOn(subject, tokens.confirm)));
      const other = subject.inbound({
        type: "tap",
        messageId: "in-9",
        from: subject.customer,
        payload: tokens.confirm,
        label: "Confirm",
      });
      assert.notEqual(idOf(tapOn(subject, tokens.confirm)), idOf(other));
    },
  },
  {
    name: "CHAN-8 bytes of any kind are refused, and nothing throws",
    async run({ channel, inbound, customer }) {
      const request = inbound({ type: "text", messageId: "in-4", from: customer, text: "hello" });
      for (const text of ["", "null", "[]", "{", '{"object":1}', "\u0000", "a=%ff&a=b", "{}".repeat(100)]) {
        const body = new TextEncoder().encode(text);
        for (const method of ["POST", "GET", "PUT", "HEAD"]) {
          assert.equal(channel.read({ ...request, method, body }).kind, "refused");
        }
      }
      assertRefused(channel.read({ ...request, body: new Uint8Array([0xff, 0xfe, 0x00]) }));
    },
  },
];
