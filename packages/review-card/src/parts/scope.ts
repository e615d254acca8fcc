import type { Messages } from "../messages/messages.ts";
import type { CardInputs, ReviewCardModel } from "../model.ts";
import type { CardParts } from "./parts.tsx";

/** What the parts of one card are drawn from. */
export type CardScope = {
  /** Prefix of the ids of this card's elements. */
  readonly id: string;
  readonly model: ReviewCardModel;
  readonly messages: Messages;
  readonly props: CardInputs & {
    readonly headingLevel?: 2 | 3 | 4 | 5 | undefined;
    readonly onVerify?: (() => void) | undefined;
    readonly parts?: CardParts | undefined;
  };
  /** The `ref` of the element around both buttons. */
  readonly buttons: (element: HTMLElement | null) => void;
  /** Says something once, politely. */
  readonly say: (text: string) => void;
};
