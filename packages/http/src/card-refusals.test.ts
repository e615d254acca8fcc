import { pending, rejected } from "@countersign/core";
import { expect, test } from "vitest";
import type { Answer } from "./fixtures.ts";
import { makeApi, propose, refused, secrets, signIn } from "./fixtures.ts";

// Each state of a write, each command, each answer.

type Command = "edits" | "confirm" | "decline" | "extend";
const settled: Record<string, () => unknown> = {
  applied: () => ({ status: "cancelled" }),
  not_applied: () => rejected("It was shipped already."),
  pending: () => pending("op-1"),
  unknown: () => {
    throw new Error("connection lost");
  },
  running: () => new Promise(() => undefined),
};

/** A write in a state, and how to command it. */
async function inState(state: string): Promise<(command: Command, body?: object) => Promise<Answer>> {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  const ask = (command: Command, body: object = {}): Promise<Answer> => {
    const more = { edits: { values: { "/reason": "other" } }, confirm: { digest }, decline: {}, extend: {} }[
      command
    ];
    return api.ask("POST", `/v1/card/${writeId}/${command}`, {
      as: token,
      body: { version, ...more, ...body },
    });
  };
  if (state in settled) {
    api.shop = settled[state] as () => unknown;
    const confirming = ask("confirm");
    await api.clock.settle();
    if (state === "running") await api.clock.advance(10_000);
    await confirming;
  }
  if (state === "declined") await ask("decline");
  if (state === "expired") {
    await api.clock.advance(900_000);
    await api.engine.runDue();
  }
  if (state === "withdrawn") await api.ask("POST", `/v1/writes/${writeId}/withdraw`, { as: secrets.agent });
  const { body } = await api.ask("GET", "/v1/card", { as: token });
  expect(body).toMatchObject({ card: { state } });
  return ask;
}

const decidedStates = ["running", "pending", "unknown", "applied", "not_applied", "declined"] as const;

test.each(decidedStates)("HTTP-15 a write that is %s takes no edit and no extension", async (state) => {
  const ask = await inState(state);
  for (const command of ["edits", "extend"] as const) {
    expect(await ask(command)).toMatchObject(
      refused(409, "already_decided", { card: expect.objectContaining({ state }) }),
    );
  }
});

test.each(decidedStates.filter((state) => state !== "declined"))(
  "HTTP-15 a write that is %s answers the same confirm the same, and no decline",
  async (state) => {
    const ask = await inState(state);
    if (state !== "running")
      expect(await ask("confirm")).toMatchObject({ status: 200, body: { card: { state } } });
    expect(await ask("confirm", { digest: "0".repeat(64) })).toMatchObject(
      refused(409, "already_decided", { card: expect.objectContaining({ state }) }),
    );
    expect(await ask("decline")).toMatchObject(
      refused(409, "already_decided", { card: expect.objectContaining({ state }) }),
    );
  },
);

test("HTTP-15 a declined write is declined again without harm, and cannot be confirmed", async () => {
  const ask = await inState("declined");
  expect(await ask("decline")).toMatchObject({ status: 200, body: { card: { state: "declined" } } });
  expect(await ask("confirm")).toMatchObject(
    refused(409, "already_decided", { card: expect.objectContaining({ state: "declined" }) }),
  );
});

test.each([
  ["expired", 410],
  ["withdrawn", 409],
] as const)("HTTP-15 a write that is %s says so to every command", async (state, status) => {
  const ask = await inState(state);
  for (const command of ["edits", "confirm", "decline", "extend"] as const) {
    expect(await ask(command)).toMatchObject(
      refused(status, state, { card: expect.objectContaining({ state }) }),
    );
  }
});

test("HTTP-16 a proposed write is edited, extended once, confirmed only as it now is, and declined at any version", async () => {
  const ask = await inState("proposed");
  expect(await ask("extend")).toMatchObject({ status: 200, body: { card: { state: "proposed" } } });
  expect(await ask("extend")).toMatchObject(refused(409, "not_extendable"));
  expect(await ask("edits", { values: { "/orderId": "A-2" } })).toMatchObject(
    refused(422, "edit_not_allowed", { issues: [expect.objectContaining({ pointer: "/orderId" })] }),
  );
  expect(await ask("edits", { values: { "/reason": "never" } })).toMatchObject(
    refused(422, "invalid_arguments"),
  );
  expect(await ask("confirm", { digest: "0".repeat(64) })).toMatchObject(refused(409, "stale_version"));
  expect(await ask("edits")).toMatchObject({
    status: 200,
    body: { consequencesChanged: false, card: { version: 2 } },
  });
  for (const command of ["edits", "confirm", "extend"] as const) {
    expect(await ask(command)).toMatchObject(
      refused(409, "stale_version", { card: expect.objectContaining({ version: 2 }) }),
    );
  }
  expect(await ask("decline")).toMatchObject({ status: 200, body: { card: { state: "declined" } } });
});

test("HTTP-10 no command reaches a write of another conversation", async () => {
  const api = makeApi();
  const { writeId, version, digest } = await propose(api, await signIn(api));
  const foreign = await signIn(api, "c-2", "cus_ben");
  const bodies = {
    edits: { version, values: {} },
    confirm: { version, digest },
    decline: { version },
    extend: { version },
  };
  for (const [command, body] of Object.entries(bodies)) {
    expect(await api.ask("POST", `/v1/card/${writeId}/${command}`, { as: foreign, body })).toMatchObject(
      refused(404, "not_found"),
    );
  }
  expect(api.handled).toEqual([]);
});
