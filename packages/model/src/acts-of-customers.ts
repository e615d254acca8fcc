import type { Card, CardSession, Refusal } from "@countersign/core";
import type { Process } from "./process.ts";
import { knownByName } from "./shop-tools.ts";
import type { Screen, Stage } from "./stage.ts";
import type { Step } from "./steps.ts";

// Enough for one question, without letting everything else come to its end.
const callsOfOneQuestion = 40;

/** Opens a card page for whoever is in the conversation, and leaves it when no answer comes. */
export async function look(stage: Stage, process: Process, conversationId: string): Promise<void> {
  const { request, order, book, screens } = stage;
  let session: CardSession | undefined;
  const opening = request(
    process,
    "operator",
    { conversationId },
    () => process.engine.host.startSession({ conversationId }),
    (answer) => {
      session = answer;
    },
  );
  await Promise.race([opening, order.release(callsOfOneQuestion)]);
  await order.settle();
  // Whoever opened the page is who was there in the session's epoch; later ones have other sessions.
  if (!session || book.epochOf(conversationId) !== session.epoch) return;
  const screen: Screen = { session, person: stage.presentIn(conversationId), card: null };
  screens.push(screen);
  const { person } = screen;
  const looking = request(
    process,
    "customer",
    { conversationId, person },
    () => process.engine.customer.card(screen.session),
    (page) => {
      if (!("refused" in page)) screen.card = page.card;
    },
  );
  await Promise.race([looking, order.release(callsOfOneQuestion)]);
  await order.settle();
}

function confirm(stage: Stage, process: Process, screen: Screen, card: Card, waits: boolean): void {
  const { writeId, version, digest } = card;
  const { session, person } = screen;
  const { conversationId, epoch } = session;
  stage.doings.pressed({ writeId, version, digest, conversationId, epoch, person, card });
  const confirmed = { session, writeId, version, digest, waitMs: waits ? 10_000 : 0 };
  void stage.request(
    process,
    "customer",
    { conversationId, person },
    () => process.engine.customer.confirm(confirmed),
    (answer) => {
      if ("card" in answer && answer.card) screen.card = answer.card;
      const counted = stage.book.writes.get(writeId)?.everConfirmed.has(digest) ?? false;
      if (!("refused" in answer) && !counted)
        stage.blame(8, `a confirm of ${writeId} version ${version} is answered as if it counted`);
    },
  );
}

type OnScreen = Extract<Step, { readonly screen: number }>;

/** What somebody does before a card page. */
export async function actOnScreen(stage: Stage, process: Process, step: OnScreen): Promise<void> {
  const { screens } = stage;
  let screen = screens.at(-1 - (step.screen % Math.max(1, screens.length)));
  if (screen && step.afresh) {
    await look(stage, process, screen.session.conversationId);
    screen = screens.at(-1);
  }
  if (!screen?.card) return;
  const { session, person, card } = screen;
  const { customer } = process.engine;
  const about = { conversationId: session.conversationId, person };
  const named = { session, writeId: card.writeId, version: card.version };
  const seen = screen;
  const take = (answer: { readonly card: Card } | Refusal): void => {
    if ("card" in answer && answer.card) seen.card = answer.card;
  };
  switch (step.do) {
    case "confirm":
      confirm(stage, process, screen, card, step.waits);
      return;
    case "decline":
    case "extend":
    case "undo":
      void stage.request(process, "customer", about, () => customer[step.do](named), take);
      return;
    case "edit": {
      const editable = knownByName.get(card.tool)?.editable;
      if (!editable) return;
      const note = person.startsWith("visitor") ? `note ${step.value}` : `note ${step.value} of-${person};`;
      const values = { [editable]: editable === "/amount" ? step.value : note };
      void stage.request(
        process,
        "customer",
        about,
        () => customer.edit({ ...named, values }),
        (answer) => {
          // Beside the tab that still shows the old version.
          if (!("refused" in answer)) screens.push({ session, person, card: answer.card });
        },
      );
      return;
    }
  }
}
