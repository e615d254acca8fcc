import { type ReactElement, useSyncExternalStore } from "react";
import type { CardInputs } from "../model.ts";
import { ReviewCard, type ReviewCardProps } from "../review-card.tsx";
import { catalogueCount, findMessages, onCatalogue } from "./catalogues.ts";
import type { LiveCard } from "./live-card.ts";

/** How the element's card is shown. */
export type ShownCard = Pick<
  ReviewCardProps,
  "headingLevel" | "theme" | "onVerify" | "messages" | "allowFraming"
> & {
  /** Whose words are used; the card's own locale where this is missing. */
  readonly locale: string | undefined;
  /** What the card is given in place of what its session says. */
  readonly adapt: ((inputs: CardInputs) => CardInputs) | undefined;
};

/** A review card that follows its session. */
export function LiveReviewCard(props: ShownCard & { readonly live: LiveCard }): ReactElement {
  const { live, locale, adapt, messages, ...shown } = props;
  const inputs = useSyncExternalStore(live.subscribe, live.inputs, live.inputs);
  useSyncExternalStore(onCatalogue, catalogueCount, catalogueCount);
  const words = findMessages(locale ?? inputs.card?.locale ?? "");
  return <ReviewCard {...(adapt ? adapt(inputs) : inputs)} {...shown} messages={{ ...words, ...messages }} />;
}
