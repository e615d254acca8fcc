import { type ReactElement, useSyncExternalStore } from "react";
import { ReviewCard, type ReviewCardProps } from "../review-card.tsx";
import { catalogueCount, findMessages, onCatalogue } from "./catalogues.ts";
import { confirmElsewhere, elsewhereMessages } from "./elsewhere.ts";
import type { LiveCard } from "./live-card.ts";

/** How the element's card is shown. */
export type ShownCard = Pick<ReviewCardProps, "headingLevel" | "theme" | "onVerify" | "messages"> & {
  /** Whose words are used; the card's own locale where this is missing. */
  readonly locale: string | undefined;
  /** False: confirming here only has the customer asked where they are known. */
  readonly mayConfirm: boolean;
};

/** A review card that follows its session. */
export function LiveReviewCard(props: ShownCard & { readonly live: LiveCard }): ReactElement {
  const { live, locale, mayConfirm, messages, ...shown } = props;
  const inputs = useSyncExternalStore(live.subscribe, live.inputs, live.inputs);
  useSyncExternalStore(onCatalogue, catalogueCount, catalogueCount);
  const words = { ...findMessages(locale ?? inputs.card?.locale ?? ""), ...messages };
  return mayConfirm ? (
    <ReviewCard {...inputs} {...shown} messages={words} />
  ) : (
    <ReviewCard {...confirmElsewhere(inputs)} {...shown} messages={elsewhereMessages(words)} />
  );
}
