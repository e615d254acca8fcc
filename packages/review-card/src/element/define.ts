import { ReviewCardElement } from "./review-card-element.ts";

/** Makes `<review-card>` known to this page, unless some copy of this script did already. */
export function defineReviewCard(): void {
  const registry = globalThis.customElements as CustomElementRegistry | undefined;
  if (registry && !registry.get("review-card")) registry.define("review-card", ReviewCardElement);
}
