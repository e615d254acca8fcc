import { rejected, stepUpRequired } from "@countersign/core";
import { expect, test } from "vitest";
import { cancelA1042, makeApi, propose, refused, secrets, signIn, type WireCard } from "./fixtures.ts";

const calls = "/v1/conversations/c-1/calls";

const lookAt = (version: string, price: number) => (): unknown => ({
  targets: [{ type: "order", id: "A-1042", version }],
  effects: [
    {
      type: "refund",
      label: "Refund",
      before: null,
      after: price,
      format: "money",
      currency: "EUR",
      tolerance: { absolute: 100 },
    },
  ],
});

test("HTTP-41 a call whose preview refuses, fails or has nothing to do is answered so, and nothing is stored", async () => {
  const api = makeApi();
  await signIn(api);
  const ask = () => api.ask("POST", calls, { as: secrets.agent, body: cancelA1042 });
  api.look = () => rejected("It is on its way.");
  expect(await ask()).toMatchObject(refused(422, "preview_failed", { message: "It is on its way." }));
  api.look = () => {
    throw new Error("down");
  };
  expect(await ask()).toMatchObject(
    refused(422, "preview_failed", { message: expect.stringContaining("right now") }),
  );
  api.look = () => stepUpRequired({ level: "high", maxAuthAgeSeconds: 300 });
  const wanted = { level: "high", maxAuthAgeSeconds: 300 };
  expect(await ask()).toMatchObject(refused(403, "verification_required", wanted));
  api.look = () => ({ noop: true });
  expect(await ask()).toMatchObject({
    status: 200,
    body: { kind: "result", tool: "cancel_order", noop: true },
  });
  expect(await api.ask("GET", "/v1/writes", { as: secrets.operator })).toMatchObject({
    body: { writes: [] },
  });
});

test("HTTP-41 what a preview finds is on the card; what changed since is answered with the next one, and runs then", async () => {
  const api = makeApi();
  const token = await signIn(api);
  api.look = lookAt("7", 4800);
  const card = await propose(api, token);
  expect(card).toMatchObject({
    effects: [
      { label: "Refund", before: null, after: "€48.00", tolerance: "at least €47.00, at most €49.00" },
    ],
  });
  const confirm = ({ version, digest }: WireCard) =>
    api.ask("POST", `/v1/card/${card.writeId}/confirm`, { as: token, body: { version, digest } });
  api.look = lookAt("7", 4950);
  const drifted = await confirm(card);
  const next = (drifted.body as { card: WireCard }).card;
  expect(drifted).toMatchObject(refused(409, "drifted", { card: next }));
  expect(next).toMatchObject({
    state: "proposed",
    version: 2,
    changes: [{ label: "Refund", from: "€48.00", to: "€49.50", by: "drift" }],
  });
  expect(api.handled).toEqual([]);
  api.look = () => {
    throw new Error("down");
  };
  expect(await confirm(next)).toMatchObject(refused(503, "preview_unavailable"));
  api.look = lookAt("7", 4960);
  expect(await confirm(next)).toMatchObject({
    status: 200,
    body: { card: { state: "applied", version: 2 } },
  });
});

test("HTTP-41 a confirm that finds nothing left to do is answered with what that is: nothing was changed", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  api.look = () => ({ noop: true });
  expect(
    await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } }),
  ).toMatchObject({
    status: 200,
    body: { card: { state: "not_applied", receipt: { outcome: "not_applied" } } },
  });
  expect(api.handled).toEqual([]);
});

test("HTTP-42 an undo is a new card, is refused where there is none or another write is open, and takes no arguments", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  const undo = (body?: unknown) => api.ask("POST", `/v1/card/${writeId}/undo`, { as: token, body });
  expect(await undo()).toMatchObject(refused(409, "not_undoable"));
  await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  expect(await undo({ orderId: "A-9" })).toMatchObject({ status: 422, body: { code: "invalid_request" } });
  const undone = await undo();
  expect(undone).toMatchObject({ status: 201, body: { card: { tool: "reopen_order", state: "proposed" } } });
  expect(await undo({})).toMatchObject({ status: 201, body: undone.body });
  const other = (undone.body as { card: WireCard }).card;
  await api.ask("POST", `/v1/card/${other.writeId}/decline`, { as: token, body: { version: 1 } });
  const open = await propose(api, token, "c-1", {
    tool: "cancel_order",
    arguments: { orderId: "A-2", reason: "late" },
  });
  expect(await undo()).toMatchObject(
    refused(409, "write_in_progress", { writeId: open.writeId, state: "proposed" }),
  );
  expect(await api.ask("POST", `/v1/card/${writeId}/undo`, { as: secrets.agent })).toMatchObject({
    status: 401,
  });
});
