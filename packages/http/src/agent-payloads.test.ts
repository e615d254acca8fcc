import { pending, rejected } from "@countersign/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Api } from "./fixtures.ts";
import { makeApi, propose, secrets, signIn } from "./fixtures.ts";

const outcomes = {
  applied: () => ({ status: "cancelled" }),
  rejected: () => rejected("It was shipped already."),
  pending: () => pending("operation-ref-0123456789"),
  unknown: () => {
    throw new Error("handler-error-0123456789");
  },
} as const;

const steps = [
  "propose",
  "edit",
  "confirm",
  "decline",
  "withdraw",
  "change customer",
  "sign out",
  "expire",
] as const;

/** Does one thing that could happen, as far as it can, and collects what the agent is told afterwards. */
async function happen(
  api: Api,
  step: (typeof steps)[number],
  ids: Set<string>,
  customer: { name: string; token: string },
): Promise<string> {
  const { body } = await api.ask("GET", "/v1/card", { as: customer.token });
  const { card } = body as { card: { writeId: string; version: number; digest: string } | null };
  const decide = (command: string, more: object = {}): Promise<unknown> =>
    api.ask("POST", `/v1/card/${card?.writeId ?? "wr_none"}/${command}`, {
      as: customer.token,
      body: { version: card?.version ?? 1, ...more },
    });
  const told: unknown[] = [];
  switch (step) {
    case "propose": {
      const call = {
        tool: "cancel_order",
        arguments: { orderId: `A-${ids.size}`, reason: "late", note: `note-of-${customer.name}` },
      };
      const answer = await api.ask("POST", "/v1/conversations/c-1/calls", {
        as: secrets.agent,
        body: call,
        headers: { "idempotency-key": `client-key-${ids.size}` },
      });
      const { write, writeId } = answer.body as { write?: { id: string }; writeId?: string };
      const id = write?.id ?? writeId;
      if (id !== undefined) ids.add(id);
      told.push(answer.body);
      break;
    }
    case "edit":
      await decide("edits", { values: { "/note": `edit-of-${customer.name}` } });
      break;
    case "confirm":
      await decide("confirm", { digest: card?.digest ?? "" });
      break;
    case "decline":
      await decide("decline");
      break;
    case "withdraw":
      for (const id of ids)
        told.push((await api.ask("POST", `/v1/writes/${id}/withdraw`, { as: secrets.agent })).body);
      break;
    case "change customer":
      customer.name = customer.name === "cus_ana" ? "cus_ben" : "cus_ana";
      customer.token = await signIn(api, "c-1", customer.name);
      break;
    case "sign out":
      await api.ask("DELETE", "/v1/conversations/c-1/customer", { as: secrets.host });
      customer.name = "cus_nobody";
      customer.token = await signIn(api, "c-1", customer.name);
      break;
    case "expire":
      await api.clock.advance(900_000);
      await api.engine.runDue();
      customer.token = await signIn(api, "c-1", customer.name);
  }
  for (const id of ids) told.push((await api.ask("GET", `/v1/writes/${id}`, { as: secrets.agent })).body);
  return JSON.stringify(told);
}

test("HTTP-13 whatever happens, an agent is told no key, reference, token, secret or digest, and nothing of a customer who left", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...(Object.keys(outcomes) as (keyof typeof outcomes)[])),
      async (happenings, outcome) => {
        const api = makeApi();
        api.shop = outcomes[outcome];
        const customer = { name: "cus_ana", token: await signIn(api) };
        const ids = new Set<string>();
        for (const step of ["propose", ...happenings] as const) {
          const told = await happen(api, step, ids, customer);
          const { writes } = await api.engine.operator.list({ limit: 200 });
          const hidden = [
            ...Object.values(secrets),
            ...api.handled.map(({ idempotencyKey }) => idempotencyKey),
            ...writes.flatMap(({ digest, customerRef }) => [digest, customerRef ?? customer.token]),
            customer.token,
            "client-key",
            "operation-ref-0123456789",
            "handler-error-0123456789",
            "cus_ana",
            "cus_ben",
          ];
          const allowed = (text: string): boolean => text === customer.name;
          for (const text of hidden.filter((candidate) => !allowed(candidate)))
            expect(told).not.toContain(text);
        }
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

test("HTTP-14 the agent learns what its own customer changed, by label", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  await api.ask("POST", `/v1/card/${writeId}/edits`, {
    as: token,
    body: { version: 1, values: { "/reason": "other" } },
  });
  expect(await api.ask("GET", `/v1/writes/${writeId}`, { as: secrets.agent })).toMatchObject({
    body: {
      version: 2,
      changedByCustomer: [{ label: "Reason", from: "Arrives too late", to: "Another reason" }],
    },
  });
});
