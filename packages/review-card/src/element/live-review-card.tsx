import { type ReactElement, useSyncExternalStore } from "react";
import { en } from "../messages/en.ts";
import { ReviewCard, type ReviewCardProps } from "../review-card.tsx";
import { type Catalogue, catalogueCount, findMessages, onCatalogue } from "./catalogues.ts";
import { confirmElsewhere, elsewhereWords } from "./elsewhere.ts";
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
  const catalogue: Partial<Catalogue> = findMessages(locale ?? inputs.card?.locale ?? "") ?? {};
  const { confirmElsewhere: label, ...found } = catalogue;
  const refusals = {
    surface_unsupported: elsewhereWords.asked,
    ...en.refusals,
    ...found.refusals,
    ...messages?.refusals,
  };
  return (
    <ReviewCard
      {...(mayConfirm ? inputs : confirmElsewhere(inputs, label))}
      {...shown}
      messages={{ ...found, ...messages, refusals }}
    />
  );
}
