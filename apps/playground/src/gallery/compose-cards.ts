import {
  type Card,
  type CardSession,
  createEngine,
  type Engine,
  isRefusal,
  memoryStore,
  pending,
  type Refusal,
  rejected,
  stepUpRequired,
} from "@countersign/core";
import { type ManualClock, manualClock } from "@countersign/core/testing";
import { type GalleryLocale, type GalleryState, galleryStates } from "./choices.ts";
import { type GalleryShop, galleryTools } from "./tools.ts";
import { hostileNote, longNote, manyLines, unbrokenWord } from "./values.ts";
import { words } from "./words.ts";

/** A card as it stands in one state, and the server's time of it. */
export type GalleryCard = { readonly card: Card; readonly serverTime: string };

/** The card of every state, in one locale. */
export type GalleryCards = { readonly [state in GalleryState]: GalleryCard };

type Stage = {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly shop: GalleryShop;
  session: CardSession;
  readonly locale: GalleryLocale;
};

const agent = "bot";
const customerId = "cus_ana";

function granted<Answer extends object>(answer: Answer): Exclude<Answer, Refusal> {
  if (isRefusal(answer)) throw new Error(`The gallery's engine refused: ${answer.refused}.`);
  return answer as Exclude<Answer, Refusal>;
}

async function signIn(engine: Engine, conversationId: string): Promise<CardSession> {
  const authenticatedAt = engine.now();
  granted(
    await engine.host.customerVerified({ conversationId, customerId, level: "standard", authenticatedAt }),
  );
  return engine.host.startSession({ conversationId });
}

async function openStage(locale: GalleryLocale): Promise<Stage> {
  const clock = manualClock(Date.UTC(2026, 10, 30, 9, 30));
  const shop: GalleryShop = { refundMinor: 2400, answer: () => ({ refundMinor: shop.refundMinor }) };
  const engine = createEngine({
    tools: galleryTools(shop),
    store: memoryStore(),
    clock,
    defaultLocale: locale,
    defaultTimeZone: "Europe/Madrid",
    verifyUrl: () => "https://shop.example/verify",
    // The shop that does not answer is meant; nobody needs to read of it.
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  return { engine, clock, shop, locale, session: await signIn(engine, locale) };
}

async function read({ engine, session }: Stage): Promise<Card> {
  const { card } = granted(await engine.customer.card(session));
  if (card === null) throw new Error("The gallery's conversation has no card.");
  return card;
}

async function propose(stage: Stage, tool: string, args: unknown): Promise<Card> {
  const call = { agent, conversationId: stage.locale, tool, arguments: args };
  granted(await stage.engine.agent.call(call));
  return read(stage);
}

const cancel = (stage: Stage): Promise<Card> =>
  propose(stage, "cancel_order", { order: "A-1042", reason: "late" });

/** The customer confirms the cancellation, and the shop answers so. */
async function confirm(stage: Stage, answer?: GalleryShop["answer"]): Promise<void> {
  if (answer) stage.shop.answer = answer;
  const { writeId, version, digest } = await cancel(stage);
  await stage.clock.advance(60_000);
  const { session } = stage;
  const sent = stage.engine.customer.confirm({ session, writeId, version, digest, waitMs: 0 });
  await stage.clock.advance(1);
  granted(await sent);
}

const acts: { readonly [state in GalleryState]: (stage: Stage) => Promise<unknown> } = {
  proposed: cancel,
  edited: async (stage) => {
    const { writeId, version } = await cancel(stage);
    const { session } = stage;
    granted(await stage.engine.customer.edit({ session, writeId, version, values: { "/reason": "other" } }));
  },
  drifted: async (stage) => {
    const { writeId, version, digest } = await cancel(stage);
    stage.shop.refundMinor = 1900;
    const { session } = stage;
    const answer = await stage.engine.customer.confirm({ session, writeId, version, digest });
    if (!isRefusal(answer)) throw new Error("The gallery's order was to drift, and ran.");
  },
  expired: async (stage) => {
    await cancel(stage);
    await stage.clock.advance(16 * 60_000);
    await stage.engine.runDue();
  },
  running: (stage) => confirm(stage, () => new Promise<never>(() => {})),
  awaiting_verification: (stage) =>
    confirm(stage, () => stepUpRequired({ level: "high", maxAuthAgeSeconds: 300 })),
  pending: (stage) => confirm(stage, () => pending("job-17", words.accepted[stage.locale])),
  unknown: (stage) =>
    confirm(stage, () => {
      throw new Error("The gallery's shop hung up.");
    }),
  applied: (stage) => confirm(stage),
  not_applied: (stage) => confirm(stage, () => rejected(words.shipped[stage.locale] ?? "")),
  declined: async (stage) => {
    const { writeId, version } = await cancel(stage);
    granted(await stage.engine.customer.decline({ session: stage.session, writeId, version }));
  },
  withdrawn: async (stage) => {
    const { writeId } = await cancel(stage);
    const reason = words.mistaken[stage.locale] ?? "";
    granted(await stage.engine.agent.withdraw({ agent, writeId, reason }));
  },
  superseded: async (stage) => {
    await cancel(stage);
    await stage.engine.host.customerSignedOut(stage.locale);
    stage.session = await signIn(stage.engine, stage.locale);
  },
  high_risk: (stage) =>
    propose(stage, "close_account", { account: "ana@mail.example", phone: "+34915550142" }),
  long_values: (stage) => propose(stage, "send_note", { order: unbrokenWord, note: longNote }),
  hostile_values: (stage) => propose(stage, "send_note", { order: "A-\u202e2401\u2066", note: hostileNote }),
  many_fields: (stage) => propose(stage, "send_lines", manyLines),
};

async function compose(state: GalleryState, locale: GalleryLocale): Promise<GalleryCard> {
  const stage = await openStage(locale);
  await acts[state](stage);
  return { card: await read(stage), serverTime: new Date(stage.clock.now()).toISOString() };
}

/**
 * Cards as a customer would see them in each state: of a real engine with a clock that stands still, driven there by what
 * agents, customers and hosts can do.
 */
export async function composeCards(locale: GalleryLocale): Promise<GalleryCards> {
  const cards = await Promise.all(
    galleryStates.map(async (state) => [state, await compose(state, locale)] as const),
  );
  return Object.fromEntries(cards) as GalleryCards;
}
