import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Store } from "@countersign/core";
import {
  appendOf,
  conversationRow,
  deliveryRow,
  inboxRow,
  nextStep,
  proposal,
} from "@countersign/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./fixtures.ts";

let server: TestServer;
/** Stands between the store and the server, and can cut the line at a word. */
let between: Server;
/** The next message from the store that holds this word: its way or the answer's is where the line is cut. */
let cut: { readonly word: string; readonly where: "request" | "answer" } | undefined;
const sockets = new Set<Socket>();

function pass(near: Socket, port: number): void {
  const far = connect(port, "127.0.0.1");
  let answerIsLost = false;
  const end = (): void => {
    near.destroy();
    far.destroy();
  };
  near.on("data", (bytes) => {
    if (cut === undefined || !bytes.includes(cut.word)) {
      far.write(bytes);
      return;
    }
    const { where } = cut;
    cut = undefined;
    if (where === "request") end();
    else {
      answerIsLost = true;
      far.write(bytes);
    }
  });
  // The server answers once it has committed.
  far.on("data", (bytes) => {
    if (answerIsLost) end();
    else near.write(bytes);
  });
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on("close", end);
    socket.on("error", end);
  }
}

let store: Store;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  const url = new URL(await server.newDatabase("migrated"));
  const port = Number(url.port);
  between = createServer((near) => pass(near, port)).listen(0, "127.0.0.1");
  await once(between, "listening");
  const address = between.address();
  url.port = String(typeof address === "object" ? address?.port : 0);
  store = await server.openStore(url.href);
  // Prepares what follows on its one connection.
  await store.append(appendOf({ writes: [first] }));
});
afterEach(async () => {
  cut = undefined;
  await server.closeStores();
  for (const socket of sockets) socket.destroy();
  between.close();
});
afterAll(() => server.stop());

const first = proposal("wr_0", "c-0");
const row = conversationRow("c-9", { epoch: 1, customerRef: "cu_1" });

test.each(["request", "answer"] as const)(
  "STORE-37 a proposal whose %s is lost with the connection is appended once, and answered so",
  async (where) => {
    cut = { word: "countersign_propose", where };
    const write = proposal("wr_1", "c-1");
    expect(await store.append(appendOf({ writes: [write] }))).toEqual({ kind: "appended" });
    expect(cut).toBeUndefined();
    expect(await store.readWrite("wr_1")).toEqual(write);
  },
);

test.each(["request", "answer"] as const)(
  "STORE-37 of several appends whose %s is lost together each is appended once, and rivals lose as ever",
  async (where) => {
    // So that the word stands in a message that is prepared already.
    const before = ["a", "b"].map((name) => proposal(`wr_${name}`, `c-${name}`));
    await Promise.all(before.map((write) => store.append(appendOf({ writes: [write] }))));
    cut = { word: "countersign_propose", where };
    const step = nextStep(first.row, { state: "running" });
    const asked = [
      store.append(appendOf({ writes: [proposal("wr_1", "c-1")] })),
      store.append(appendOf({ writes: [step] })),
      store.append(appendOf({ writes: [proposal("wr_2", "c-2")] })),
      store.append(appendOf({ writes: [step] })),
    ];
    expect(await Promise.all(asked)).toEqual([
      { kind: "appended" },
      { kind: "appended" },
      { kind: "appended" },
      { kind: "conflict", on: "seq" },
    ]);
    expect(cut).toBeUndefined();
  },
);

test("STORE-37 a commit whose answer is lost is found again, with all that went with it", async () => {
  const closed = nextStep(first.row, { state: "expired", open: false });
  const append = appendOf({ conversations: [row], writes: [closed, proposal("wr_1", "c-0")] });
  // The transaction's last word, which no prepared statement holds.
  cut = { word: "commit\0", where: "answer" };
  expect(await store.append(append)).toEqual({ kind: "appended" });
  expect(cut).toBeUndefined();
  expect((await store.readConversation("c-0")).openWriteId).toBe("wr_1");
  expect((await store.readConversation("c-9")).conversation).toEqual(row);
});

test.each(["request", "answer"] as const)(
  "STORE-39 an incoming message whose %s is lost with the connection is kept with its delivery, or both are not",
  async (where) => {
    // So that the word stands in a message that is prepared already.
    await store.receive(inboxRow("m-0"), null);
    cut = { word: "countersign_receive", where };
    const hand = () => store.receive(inboxRow("m-1"), deliveryRow("d-1"));
    await expect(hand()).rejects.toMatchObject({ name: "UnavailableError" });
    expect(cut).toBeUndefined();
    const taken = () => store.takeDeliveries({ now: 2_000, limit: 9, leaseMs: 0 });
    expect((await taken()).length).toBe(where === "answer" ? 1 : 0);
    expect(await hand()).toBe(where === "request");
    expect((await taken()).map(({ id }) => id)).toEqual(["d-1"]);
  },
);

test("STORE-37 a read whose answer is lost rejects as for now, and can be asked again", async () => {
  await store.readWrite("wr_0");
  cut = { word: "countersign_read_write", where: "answer" };
  await expect(store.readWrite("wr_0")).rejects.toMatchObject({ name: "UnavailableError" });
  expect((await store.readWrite("wr_0"))?.row).toEqual(first.row);
});
