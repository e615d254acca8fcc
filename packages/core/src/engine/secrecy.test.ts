import { expect, test } from "vitest";
import { pending, rejected, stepUpRequired } from "../tool/outcome.ts";
import {
  call,
  cardOf,
  confirm,
  granted,
  later,
  makeScene,
  ran,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";
import type { ExportedJournal } from "./views.ts";

async function exported({ engine }: Scene, writeId: string): Promise<ExportedJournal> {
  return granted(await engine.operator.journal(writeId));
}

const markers = {
  order: "MARK-ORDER-1",
  note: "MARK-NOTE-2",
  customer: "MARK-CUSTOMER-3",
  result: "MARK-RESULT-4",
  reference: "MARK-REF-5",
  said: "MARK-SAID-6",
  secret: "MARK-SECRET-7",
};

type Ending =
  | "applied"
  | "rejected"
  | "pending"
  | "unknown"
  | "step_up"
  | "withdrawn"
  | "declined"
  | "superseded"
  | "withheld"
  | "running";
const endings: readonly Ending[] = [
  "applied",
  "rejected",
  "pending",
  "unknown",
  "step_up",
  "withdrawn",
  "declined",
  "superseded",
  "withheld",
  "running",
];

function handlerFor(ending: Ending): Scene["handler"] {
  return (_args, { secrets }) => {
    switch (ending) {
      case "rejected":
        return rejected(markers.said);
      case "pending":
        return pending(markers.reference, markers.said);
      case "unknown":
        throw new Error(secrets.get("SHOP_KEY"));
      case "step_up":
        return stepUpRequired({ level: "high" });
      case "withheld":
        return { status: 7, secret: secrets.get("SHOP_KEY") };
      case "running":
        return later().promise;
      default:
        return { status: markers.result };
    }
  };
}

/** Every path to a state, with marked values everywhere; collects whatever an agent was told on the way. */
async function markedLife(ending: Ending, edited: boolean) {
  const scene = makeScene({ secrets: { SHOP_KEY: markers.secret } });
  const told: unknown[] = [];
  scene.handler = handlerFor(ending);
  const session = await signIn(scene, markers.customer);
  const args = { orderId: markers.order, reason: "late" };
  const { id: writeId } = writeIn(await call(scene, "cancel_order", args, { idempotencyKey: "client-key" }));
  const { agent, customer, host } = scene.engine;
  const listen = async (): Promise<void> => {
    told.push(
      await agent.read({ agent: "bot", writeId }),
      await call(scene, "cancel_order", args),
      await call(scene, "cancel_order", args, { idempotencyKey: "client-key" }),
    );
    told.push(
      await call(scene, "add_note", { orderId: "X", reason: "late" }),
      await agent.withdraw({ agent: "other", writeId }),
    );
  };
  if (edited)
    granted(await customer.edit({ session, writeId, version: 1, values: { "/note": markers.note } }));
  if (ending === "withdrawn")
    told.push(await agent.withdraw({ agent: "bot", writeId, reason: markers.said }));
  else if (ending === "declined") granted(await customer.decline({ session, writeId, version: 1 }));
  else if (ending === "superseded") await signIn(scene, "cus_ben");
  else {
    await listen();
    const answer = confirm(scene, session, await cardOf(scene, session), { waitMs: 1000 });
    await scene.clock.advance(1000);
    granted(await answer);
  }
  await listen();
  await host.customerSignedOut("c-1");
  await listen();
  const stored = await scene.store.readWrite(writeId);
  const key = stored?.plains[0]?.idempotencyKey ?? "";
  return { scene, writeId, told, key, session };
}

test.each(endings)(
  "JOURNAL-5 bodies hold no argument, shown value, result or customer id: %s",
  async (ending) => {
    for (const edited of [true, false]) {
      const { scene, writeId } = await markedLife(ending, edited);
      const { events } = await exported(scene, writeId);
      const bodies = JSON.stringify(events.map(({ plain: _, ...event }) => event));
      for (const marker of [...Object.values(markers), "Arrives too late", "client-key"])
        expect(bodies).not.toContain(marker);
    }
  },
);

test.each(endings)(
  "JOURNAL-6 an agent is never told the key, a reference, a secret or a customer: %s",
  async (ending) => {
    for (const edited of [true, false]) {
      const { told, key } = await markedLife(ending, edited);
      expect(key).toMatch(/^[0-9a-f-]{36}$/);
      const text = JSON.stringify(told);
      for (const secret of [
        key,
        markers.reference,
        markers.secret,
        markers.customer,
        "cu_",
        "idempotencyKey",
        "operationRef",
        "epoch",
      ]) {
        expect(text).not.toContain(secret);
      }
    }
  },
);

test("JOURNAL-6 an export holds no write's key", async () => {
  const { scene, writeId, key } = await markedLife("applied", true);
  expect(JSON.stringify(await exported(scene, writeId))).not.toContain(key);
});

test("JOURNAL-6 after another customer has come, the agent is not told what the former one's write said", async () => {
  const { scene, card } = await ran(() => rejected(markers.said));
  await signIn(scene, "cus_ben");
  expect(
    JSON.stringify(await scene.engine.agent.read({ agent: "bot", writeId: card.writeId })),
  ).not.toContain(markers.said);
});
