import type { CardEventDetail } from "./card-events.ts";
import { defineReviewCard } from "./define.ts";
import type { ReviewCardElement } from "./review-card-element.ts";

defineReviewCard();

export type { Messages } from "../messages/messages.ts";
export type { CardEventDetail, CardEventName } from "./card-events.ts";
export { addMessages, type Catalogue } from "./catalogues.ts";
export { type Adapt, type GetToken, ReviewCardElement } from "./review-card-element.ts";

declare global {
  interface HTMLElementTagNameMap {
    "review-card": ReviewCardElement;
  }
  interface HTMLElementEventMap {
    confirmed: CustomEvent<CardEventDetail>;
    declined: CustomEvent<CardEventDetail>;
    settled: CustomEvent<CardEventDetail>;
  }
}
