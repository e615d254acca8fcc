import type { Messages } from "../messages/messages.ts";
import type { CardInputs, ReviewCardModel } from "../model.ts";

/** What the parts of one card are drawn from. */
export type CardScope = {
  /** Prefix of the ids of this card's elements. */
  readonly id: string;
  readonly model: ReviewCardModel;
  readonly messages: Messages;
  readonly props: CardInputs & {
    readonly headingLevel?: 2 | 3 | 4 | 5 | undefined;
    readonly onVerify?: (() => void) | undefined;
  };
  /** Says something once, politely. */
  readonly say: (text: string) => void;
};
