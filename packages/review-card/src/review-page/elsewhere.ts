import type { Card } from "@countersign/core/card";
import type { CardAnswer } from "../model/answer.ts";
import type { CardInputs } from "../model.ts";
import { wordsFor } from "./words.ts";

/**
 * The card for a browser that may not confirm: the server answers its confirm by asking the customer where they are known,
 * and the button says so instead of what the tool would do.
 */
export function confirmElsewhere(inputs: CardInputs): CardInputs {
  const relabel = (card: Card): Card => ({ ...card, confirmLabel: wordsFor([card.locale]).elsewhere });
  const told = (answer: CardAnswer): CardAnswer =>
    answer.type !== "unreachable" && answer.card ? { ...answer, card: relabel(answer.card) } : answer;
  const passOn =
    <Request>(command: ((request: Request) => Promise<CardAnswer>) | undefined) =>
    async (request: Request): Promise<CardAnswer> =>
      command ? told(await command(request)) : { type: "unreachable" };
  return {
    ...inputs,
    ...(inputs.card && { card: relabel(inputs.card) }),
    onConfirm: passOn(inputs.onConfirm),
    onEdit: passOn(inputs.onEdit),
    onDecline: passOn(inputs.onDecline),
    onExtend: passOn(inputs.onExtend),
    onUndo: passOn(inputs.onUndo),
    onRefetch: async () => told((await inputs.onRefetch?.()) ?? { type: "unreachable" }),
  };
}
