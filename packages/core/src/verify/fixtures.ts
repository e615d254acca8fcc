import { z } from "zod";
import {
  call,
  cardOf,
  confirm,
  granted,
  later,
  makeScene,
  proposed,
  ran,
  type Scene,
  signIn,
  writeIn,
} from "../engine/fixtures.ts";
import type { ExportedJournal } from "../engine/views.ts";
import { applied, pending, rejected, stepUpRequired } from "../tool/outcome.ts";

async function exportOf({ engine }: Scene, writeId: string): Promise<ExportedJournal> {
  // As it goes over the wire.
  return JSON.parse(JSON.stringify(granted(await engine.operator.journal(writeId)))) as ExportedJournal;
}

function verifyAna({ engine, clock }: Scene): Promise<unknown> {
  const ana = { conversationId: "c-1", customerId: "cus_ana", level: "high" } as const;
  return engine.host.customerVerified({ ...ana, authenticatedAt: clock.now() });
}

const asksOnce: Scene["handler"] = (_args, { attempt }) =>
  attempt === 1 ? stepUpRequired({ level: "high" }) : { status: "cancelled" };

/** A write whose outcome is unknown because the shop did not answer in time; `finish` lets it answer after all. */
async function unanswered() {
  const answer = later<unknown>();
  const { scene, session, card } = await proposed({ report: () => undefined });
  scene.handler = () => answer.promise;
  const confirming = confirm(scene, session, card, { waitMs: 0 });
  await scene.clock.advance(60_000);
  await confirming;
  return { scene, writeId: card.writeId, finish: answer.finish };
}

const cancelling = (version: string): object => ({
  targets: [{ type: "order", id: "A-1042", version }],
  effects: [{ type: "status", target: "A-1042", label: "Status", before: "open", after: "cancelled" }],
});

/** A write whose tool looks first, at a world that a test changes. */
async function previewed() {
  const world = { look: (): unknown => cancelling("7") };
  return { world, ...(await proposed({ tool: { preview: () => world.look() } })) };
}

/** A write that an operator had checked in vain and settled, whose customer was erased, and whose result came in after that. */
export async function erasedJournal(): Promise<ExportedJournal> {
  const { scene, writeId, finish } = await unanswered();
  const { operator } = scene.engine;
  granted(await operator.check({ writeId, operator: "Ben" }));
  granted(await operator.resolve({ writeId, outcome: "not_applied", note: "No.", operator: "Ben" }));
  granted(await operator.erase({ customerId: "cus_ana", operator: "Ben" }));
  finish({ status: "cancelled" });
  await scene.clock.settle();
  return exportOf(scene, writeId);
}

/** How the life of an example went. */
export const shapes = [
  "waiting",
  "applied",
  "refused",
  "edited",
  "declined",
  "expired",
  "withdrawn",
  "superseded",
  "steppedUp",
  "stepUpUnmet",
  "stepUpDeclined",
  "rebound",
  "reboundWhileVerifying",
  "pendingThenApplied",
  "resolved",
  "contradicted",
  "unasked",
  "hosted",
  "nested",
  "drifted",
  "driftedWhileVerifying",
  "previewRefused",
  "ranAgain",
] as const;

/** One of the examples. */
export type Shape = (typeof shapes)[number];

const makers: Readonly<Record<Shape, () => Promise<ExportedJournal>>> = {
  async waiting() {
    const { scene, card } = await proposed();
    return exportOf(scene, card.writeId);
  },
  async applied() {
    const { scene, card } = await ran(() => ({ status: "cancelled" }));
    return exportOf(scene, card.writeId);
  },
  async refused() {
    const { scene, card } = await ran(() => rejected("It has left already.\u{1f69a}"));
    return exportOf(scene, card.writeId);
  },
  async edited() {
    const { scene, session, card } = await proposed({ tool: { extend: { seconds: 900, times: 1 } } });
    const { writeId } = card;
    const { customer } = scene.engine;
    granted(await customer.extend({ session, writeId, version: 1 }));
    granted(
      await customer.edit({ session, writeId, version: 1, values: { "/note": "Zu spät – “sorry” 😀" } }),
    );
    granted(await customer.edit({ session, writeId, version: 2, values: { "/reason": "other" } }));
    granted(await confirm(scene, session, await cardOf(scene, session)));
    return exportOf(scene, writeId);
  },
  async declined() {
    const { scene, session, card } = await proposed();
    granted(await scene.engine.customer.decline({ session, writeId: card.writeId, version: 1 }));
    return exportOf(scene, card.writeId);
  },
  async expired() {
    const { scene, card } = await proposed();
    await scene.clock.advance(900_000);
    await scene.engine.runDue();
    return exportOf(scene, card.writeId);
  },
  async withdrawn() {
    const { scene, card } = await proposed();
    const { writeId } = card;
    granted(await scene.engine.agent.withdraw({ agent: "bot", writeId, reason: "Wrong order." }));
    return exportOf(scene, writeId);
  },
  async superseded() {
    const { scene, card } = await proposed();
    await scene.engine.host.customerSignedOut("c-1");
    return exportOf(scene, card.writeId);
  },
  async steppedUp() {
    const { scene, card } = await ran(asksOnce);
    await verifyAna(scene);
    await scene.clock.settle();
    return exportOf(scene, card.writeId);
  },
  async stepUpUnmet() {
    const { scene, card } = await ran(asksOnce);
    await scene.clock.advance(600_000);
    await scene.engine.runDue();
    return exportOf(scene, card.writeId);
  },
  async stepUpDeclined() {
    const { scene, session, card } = await ran(asksOnce);
    granted(await scene.engine.customer.decline({ session, writeId: card.writeId, version: 1 }));
    return exportOf(scene, card.writeId);
  },
  async rebound() {
    const scene = makeScene({ tool: { customer: "any" } });
    await scene.engine.host.startSession({ conversationId: "c-1" });
    const { id } = writeIn(await call(scene));
    const session = await signIn(scene);
    granted(await confirm(scene, session, await cardOf(scene, session)));
    return exportOf(scene, id);
  },
  async reboundWhileVerifying() {
    const scene = makeScene({ tool: { customer: "any" } });
    const visitor = await scene.engine.host.startSession({ conversationId: "c-1" });
    scene.handler = asksOnce;
    const { id } = writeIn(await call(scene));
    granted(await confirm(scene, visitor, await cardOf(scene, visitor)));
    const session = await signIn(scene);
    granted(await confirm(scene, session, await cardOf(scene, session)));
    return exportOf(scene, id);
  },
  async pendingThenApplied() {
    const { scene, card } = await ran(() => pending("op-1", "The shop takes a while."), {
      report: () => undefined,
    });
    await scene.clock.advance(6_000);
    await scene.engine.runDue();
    scene.status = () => applied({ status: "cancelled" });
    await scene.clock.advance(20_000);
    await scene.engine.runDue();
    return exportOf(scene, card.writeId);
  },
  async resolved() {
    const { scene, writeId } = await unanswered();
    granted(
      await scene.engine.operator.resolve({ writeId, outcome: "applied", note: "Saw it.", operator: "Ben" }),
    );
    return exportOf(scene, writeId);
  },
  async contradicted() {
    const { scene, writeId, finish } = await unanswered();
    granted(
      await scene.engine.operator.resolve({ writeId, outcome: "not_applied", note: "No.", operator: "Ben" }),
    );
    finish({ status: "cancelled" });
    await scene.clock.settle();
    return exportOf(scene, writeId);
  },
  async unasked() {
    const scene = makeScene();
    return exportOf(scene, writeIn(await call(scene, "add_note")).id);
  },
  async hosted() {
    const { scene, card } = await ran(() => ({ status: "cancelled" }), { mode: "hosted" });
    return exportOf(scene, card.writeId);
  },
  async nested() {
    const presentation = {
      title: "Send it?",
      confirmLabel: "Send",
      declineLabel: "Keep",
      fields: [
        { argument: "address.city", label: "City", editable: true },
        { argument: "/tags", label: "Tags" },
        { argument: "/a~1b", label: "Both" },
        { argument: "iban", label: "Account", format: "masked" },
        { argument: "cents", label: "Amount", format: "money", currency: "EUR" },
      ],
      omit: ["trace"],
    };
    const input = z.strictObject({
      address: z.strictObject({ city: z.string(), line: z.string(), more: z.strictObject({}) }),
      tags: z.array(z.string()),
      "a/b": z.string(),
      items: z.array(z.record(z.string(), z.number())),
      iban: z.string(),
      cents: z.int(),
      trace: z.strictObject({ id: z.string() }),
      gift: z.boolean().default(false),
    });
    const scene = makeScene({ tool: { input, presentation } });
    const session = await signIn(scene);
    const args = {
      address: { city: "Zürich", line: "Weg 1", more: {} },
      tags: [],
      "a/b": "x~y",
      items: [{ c: 2 }, { d: 1e21 / 1e6 }],
      iban: "CH5555555555550117",
      cents: 4900,
      trace: { id: "t-1" },
    };
    const { id } = writeIn(await call(scene, "cancel_order", args));
    granted(await confirm(scene, session, await cardOf(scene, session)));
    return exportOf(scene, id);
  },
  async drifted() {
    const { scene, session, card, world } = await previewed();
    world.look = () => cancelling("8");
    await confirm(scene, session, card);
    granted(await confirm(scene, session, await cardOf(scene, session)));
    return exportOf(scene, card.writeId);
  },
  async driftedWhileVerifying() {
    const { scene, session, card, world } = await previewed();
    scene.handler = asksOnce;
    granted(await confirm(scene, session, card));
    world.look = () => cancelling("8");
    await verifyAna(scene);
    await scene.clock.settle();
    granted(await confirm(scene, session, await cardOf(scene, session)));
    return exportOf(scene, card.writeId);
  },
  async previewRefused() {
    const { scene, session, card, world } = await previewed();
    world.look = () => rejected("It is on its way.");
    granted(await confirm(scene, session, card));
    return exportOf(scene, card.writeId);
  },
  async ranAgain() {
    const { scene, card } = await ran(
      (_args, { attempt }) => {
        if (attempt === 1) throw new Error("no answer");
        return { status: "cancelled" };
      },
      { tool: { recovery: "same_key", status: undefined }, report: () => undefined },
    );
    await scene.clock.advance(6_000);
    await scene.engine.runDue();
    await scene.clock.settle();
    return exportOf(scene, card.writeId);
  },
};

/** A journal made by an engine, as the operator's endpoint exports it; a copy of one's own. */
export function exampleJournal(shape: Shape): Promise<ExportedJournal> {
  return makers[shape]();
}

/** A journal without its plain values, as after they were erased. */
export function erase(journal: ExportedJournal): ExportedJournal {
  const events = journal.events.map(({ plain: _, ...event }) => event);
  return { ...journal, events };
}
