import { type ReactElement, useId, useRef, useState } from "react";
import { en } from "./messages/en.ts";
import type { Messages } from "./messages/messages.ts";
import { type CardView, isOpen } from "./model/view.ts";
import type { CardInputs } from "./model.ts";
import { useAnnouncements } from "./parts/announce.ts";
import { useFocus } from "./parts/focus.ts";
import { isReceipt } from "./parts/head.tsx";
import { line, loading } from "./parts/line.tsx";
import { openCard } from "./parts/open-card.tsx";
import type { CardParts } from "./parts/parts.tsx";
import { receiptCard } from "./parts/receipt.tsx";
import type { CardScope } from "./parts/scope.ts";
import { type ReviewCardModelOptions, useReviewCardModel } from "./use-review-card-model.ts";

/** What a review card is given. */
export type ReviewCardProps = CardInputs &
  Pick<ReviewCardModelOptions, "armDelayMs" | "timers" | "trusts" | "allowFraming"> & {
    /** The card's own words: another catalogue, or single sentences of one. Default: English. */
    readonly messages?: Partial<Messages> | undefined;
    /** Level of the title in the page's outline; what stands below it is one deeper. Default: 3. */
    readonly headingLevel?: 2 | 3 | 4 | 5 | undefined;
    /** Default: what the customer's system prefers. */
    readonly theme?: "light" | "dark" | undefined;
    /** Opens the host's way to sign in again. Default: a link to the card's own `verifyUrl`, where it has one. */
    readonly onVerify?: (() => void) | undefined;
    /** Parts that the host draws itself. Keep the object for as long as they are the same. */
    readonly parts?: CardParts | undefined;
  };

const busy: readonly CardView["state"][] = ["loading", "saving", "sending", "checking"];
const rightToLeft = /^(?:ar|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/i;

/** The words, with times written the way the card's own locale does where both are of one language. */
function wordsOf(overrides: Partial<Messages> | undefined, own: string): Messages {
  const words = { ...en, ...overrides };
  const [language] = own.split("-");
  return words.locale.split("-")[0] === language ? { ...words, locale: own } : words;
}

/**
 * The review card: what would be sent, in full, and the two buttons that decide.
 *
 * It works from `card` and the answers of its callbacks, the newer of which always stands. Give it a `key` when it is
 * to show another conversation.
 */
export function ReviewCard(props: ReviewCardProps): ReactElement | null {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [said, say] = useState("");
  const { view, model, buttons } = useReviewCardModel(props);
  const card = "card" in view ? view.card : null;
  const locale = card?.locale ?? "";
  const messages = wordsOf(props.messages, locale);
  const scope: CardScope = { id, model, messages, props, buttons, say };
  useFocus(model, view, root, id);
  useAnnouncements(view, messages, say);
  if (view.state === "empty") return null;
  const Root = props.parts?.Root ?? "section";
  return (
    <Root
      className="cs-card"
      {...{ "data-state": view.state, "data-cs-theme": props.theme }}
      aria-labelledby={`${id}-title`}
      lang={card?.locale}
      dir={card ? (rightToLeft.test(locale) ? "rtl" : "ltr") : undefined}
    >
      <p className="cs-hidden" role="status" lang={messages.locale}>
        {said}
      </p>
      {/* Apart from the line above: what is busy is not announced. */}
      <div ref={root} aria-busy={busy.includes(view.state)}>
        {isOpen(view)
          ? openCard(scope, view)
          : isReceipt(view)
            ? receiptCard(scope, view)
            : view.state === "loading"
              ? loading(scope)
              : line(scope, view)}
      </div>
    </Root>
  );
}
