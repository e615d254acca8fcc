import { expect, test } from "vitest";
import type { Api, Ask, WireCard } from "./fixtures.ts";
import { makeApi, propose, secrets, signIn } from "./fixtures.ts";

type Event = {
  readonly event?: string;
  readonly id?: string;
  readonly data?: unknown;
  readonly comment?: string;
};

function parse(block: string): Event {
  const lines = block
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const);
  const event = Object.fromEntries(lines.map(([name, value]) => [name === "" ? "comment" : name, value]));
  return { ...event, ...(event.data === undefined ? {} : { data: JSON.parse(event.data) }) };
}

/** Opens the stream of a session. `next` reads what has come since, up to the end. */
async function open(
  api: Api,
  token: string,
  ask: Ask = {},
): Promise<{ next(): Promise<Event[]>; isOver(): boolean; leave(): Promise<void>; answer: Response }> {
  const answer = await api.raw("GET", "/v1/card/events", { as: token, ...ask });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  let over = false;
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    over = true;
  })();
  reading.catch(() => {
    over = true;
  });
  return {
    answer,
    isOver: () => over,
    leave: () => reader.cancel(),
    async next() {
      await api.clock.settle();
      const blocks = text.split("\n\n").filter((block) => block !== "");
      text = "";
      return blocks.map(parse).filter(({ comment }) => comment !== "card events");
    },
  };
}

const card = (state: string, more: object = {}): object => ({
  event: "card",
  id: expect.stringMatching(/^wr_[\w-]+:\d+:[\w-]+$/),
  data: { card: expect.objectContaining({ state, ...more }), serverTime: expect.any(String) },
});

test("HTTP-18 the card comes at once, then at every change, each time only when it differs", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const stream = await open(api, token);
  expect([
    stream.answer.status,
    stream.answer.headers.get("content-type"),
    stream.answer.headers.get("cache-control"),
  ]).toEqual([200, "text/event-stream; charset=utf-8", "no-store"]);
  expect(await stream.next()).toEqual([
    {
      event: "card",
      id: expect.stringMatching(/^none:/),
      data: { card: null, serverTime: "2026-11-30T00:00:00.000Z" },
    },
  ]);
  const { writeId, version, digest } = await propose(api, token);
  expect(await stream.next()).toEqual([card("proposed", { writeId, version: 1 })]);
  await propose(api, await signIn(api, "c-2"), "c-2");
  expect(await stream.next()).toEqual([]);
  await api.ask("POST", `/v1/card/${writeId}/edits`, {
    as: token,
    body: { version, values: { "/reason": "other" } },
  });
  expect(await stream.next()).toEqual([card("proposed", { version: 2 })]);
  await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  expect(await stream.next()).toEqual([]);
  await stream.leave();
});

test("HTTP-18 a reader that comes back with the last id is told only what is new", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  const first = await open(api, token);
  const [{ id = "" } = {}] = await first.next();
  await first.leave();
  const same = await open(api, token, { headers: { "last-event-id": id } });
  expect(await same.next()).toEqual([]);
  await same.leave();
  await api.ask("POST", `/v1/card/${writeId}/decline`, { as: token, body: { version: 1 } });
  const later = await open(api, token, { headers: { "last-event-id": id } });
  expect(await later.next()).toEqual([card("declined")]);
  await later.leave();
});

test("HTTP-19 a comment every 15 seconds keeps the connection", async () => {
  const api = makeApi();
  const stream = await open(api, await signIn(api));
  await stream.next();
  await api.clock.advance(14_999);
  expect(await stream.next()).toEqual([]);
  await api.clock.advance(1);
  expect(await stream.next()).toEqual([{ comment: "still here" }]);
  await api.clock.advance(30_000);
  expect(await stream.next()).toEqual([{ comment: "still here" }, { comment: "still here" }]);
  await stream.leave();
});

test.each([
  ["customer_changed", (api: Api) => signIn(api, "c-1", "cus_ben")],
  ["signed_out", (api: Api) => api.ask("DELETE", "/v1/conversations/c-1/customer", { as: secrets.host })],
  ["expired", (api: Api) => api.clock.advance(3_600_000)],
] as const)("HTTP-19 the stream says %s and closes when the session ends", async (reason, end) => {
  const api = makeApi();
  const stream = await open(api, await signIn(api));
  await stream.next();
  await end(api);
  const events = (await stream.next()).filter(({ comment }) => comment === undefined);
  expect([events, stream.isOver()]).toEqual([[{ event: "end", data: { reason } }], true]);
  expect(api.clock.planned()).toBe(0);
});

test("HTTP-19 a session that has ended gets no stream", async () => {
  const api = makeApi();
  const token = await signIn(api);
  await api.ask("DELETE", "/v1/conversations/c-1/customer", { as: secrets.host });
  expect(await api.ask("GET", "/v1/card/events", { as: token })).toMatchObject({
    status: 401,
    body: { code: "session_ended" },
  });
});

test("HTTP-20 a burst of changes costs at most two looks, and the last one is seen", async () => {
  let looks = 0;
  const told: ((change: { conversationId: string | null }) => void)[] = [];
  const api = makeApi();
  const token = await signIn(api);
  const counted = makeApi({
    engine: {
      store: {
        ...api.store,
        listWrites: (filter) => {
          looks += 1;
          return api.store.listWrites(filter);
        },
        watch: (listener) => {
          told.push(listener);
          return () => undefined;
        },
      },
    },
  });
  const stream = await open(counted, token);
  await stream.next();
  const before = looks;
  await propose(api, token);
  for (let change = 0; change < 100; change += 1)
    for (const tell of told) tell({ conversationId: change % 2 === 0 ? null : "c-1" });
  expect(await stream.next()).toEqual([card("proposed")]);
  expect(looks - before).toBeLessThanOrEqual(4);
  await stream.leave();
});

test("HTTP-20 a reader that leaves, a request that is cut, and a server that closes each end the watch", async () => {
  const closing = new AbortController();
  const cut = new AbortController();
  let watching = 0;
  const api = makeApi();
  const token = await signIn(api);
  const counted = makeApi({
    http: { closing: closing.signal },
    engine: {
      store: {
        ...api.store,
        watch: (listener) => {
          watching += 1;
          const stop = api.store.watch(listener);
          return () => {
            watching -= 1;
            stop();
          };
        },
      },
    },
  });
  const left = await open(counted, token);
  const aborted = await open(counted, token, { signal: cut.signal });
  const closed = await open(counted, token);
  expect(watching).toBe(3);
  await left.leave();
  expect(watching).toBe(2);
  cut.abort();
  expect(watching).toBe(1);
  closing.abort();
  await closed.next();
  expect([watching, closed.isOver(), counted.clock.planned()]).toEqual([0, true, 0]);
  await aborted.leave().catch(() => undefined);
});

test("HTTP-20 a reader that does not read is not buffered for; it sees the newest card when it comes back", async () => {
  const api = makeApi({ engine: { limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 } } });
  const token = await signIn(api);
  const answer = await api.raw("GET", "/v1/card/events", { as: token });
  let last: WireCard | undefined;
  for (let round = 0; round < 30; round += 1) {
    last = await propose(api, token);
    await api.clock.settle();
    await api.ask("POST", `/v1/card/${last.writeId}/decline`, { as: token, body: { version: 1 } });
    await api.clock.settle();
  }
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const texts: string[] = [];
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      texts.push(new TextDecoder().decode(value));
    }
  })();
  await api.clock.settle();
  expect(texts.length).toBeLessThan(15);
  expect(texts.at(-1)).toContain(`"writeId":"${last?.writeId}"`);
  expect(texts.at(-1)).toContain('"state":"declined"');
  await reader.cancel();
  await reading;
});

test("HTTP-21 a server that closes tells what happened until then, and its streams end without a reason", async () => {
  const closing = new AbortController();
  const api = makeApi({ http: { closing: closing.signal } });
  const token = await signIn(api);
  const stream = await open(api, token);
  await stream.next();
  await propose(api, token);
  closing.abort();
  expect([await stream.next(), stream.isOver()]).toEqual([[card("proposed")], true]);
  const late = await open(api, token);
  expect([await late.next(), late.isOver()]).toEqual([[card("proposed")], true]);
});

test("HTTP-21 a store that fails closes the stream and is logged", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const fault = new Error("disk gone");
  const broken = makeApi({ engine: { store: { ...api.store, listWrites: () => Promise.reject(fault) } } });
  const stream = await open(broken, token);
  expect([await stream.next(), stream.isOver(), broken.faults]).toEqual([[], true, [fault]]);
});
