import type { Card } from "../card/model.ts";
import type { Plan, PlanEffect, Target } from "../tool/plan.ts";
import type { CardSession } from "./engine.ts";
import { call, cardOf, makeScene, type Scene, signIn, writeIn } from "./fixtures.ts";

/** The order as the target of a plan. */
export const order = (version: string): Target => ({ type: "order", id: "A-1042", version });

/** What cancelling A-1042 means at first. */
export const plan: Plan & { readonly effects: readonly [PlanEffect, PlanEffect] } = {
  targets: [order("7")],
  effects: [
    { type: "status", target: "A-1042", label: "Status", before: "open", after: "cancelled" },
    {
      type: "refund",
      label: { en: "Refund", es: "Reembolso" },
      before: null,
      after: 4800,
      format: "money",
      currency: "EUR",
      tolerance: { absolute: 100 },
    },
  ],
  counts: { add: 0, change: 1, remove: 2 },
  items: ["Mug", "Tray, large"],
  warnings: ["The discount is lost."],
  reversible: false,
};

type Shown = { readonly scene: Scene; readonly session: CardSession; readonly card: Card };

/** Ana signs in, her bot proposes, and the card is in front of her. */
export async function shown(scene: Scene): Promise<Shown> {
  const session = await signIn(scene);
  writeIn(await call(scene));
  return { scene, session, card: await cardOf(scene, session) };
}

/** A scene with a changeable preview, and its card. */
export async function previewed(
  tool: { readonly [key: string]: unknown } = {},
): Promise<Shown & { readonly world: { look: () => unknown } }> {
  const world = { look: (): unknown => plan };
  const scene = makeScene({ tool: { preview: () => world.look(), ...tool } });
  return { world, ...(await shown(scene)) };
}
