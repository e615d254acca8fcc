import { type CardAnswer, type Messages, ReviewCard } from "@countersign/review-card";
import { loadMessages } from "@countersign/review-card/messages";
import type { ReactElement } from "react";
import type { GalleryChoice } from "../../gallery/choices.ts";
import type { GalleryCard, GalleryCards } from "../../gallery/compose-cards.ts";
import { ask, part } from "../backend.ts";
import { choiceIn } from "./gallery-choice.ts";
import { GalleryIndex } from "./gallery-index.tsx";

/** One card in one look. It answers nothing: whatever is pressed, it stays in its state. */
function GalleryPage({
  choice: { state, theme, locale, width },
  shown,
  messages,
}: {
  readonly choice: GalleryChoice;
  readonly shown: GalleryCard;
  readonly messages: Messages;
}): ReactElement {
  const [first, second] = theme.split("-");
  const scheme = (second ?? first) === "dark" ? "dark" : "light";
  const stay = async (): Promise<CardAnswer> => ({ type: "ok", ...shown });
  return (
    <div className={`gallery-page gallery-${scheme}`}>
      <header className="gallery-head">
        <h1>{[state.replaceAll("_", " "), theme, locale, width].join(" · ")}</h1>
        <a href={`/gallery?${new URLSearchParams({ theme, locale, width })}`}>All states</a>
      </header>
      <main className={`gallery-stage gallery-width-${width} cs-theme-${first}`}>
        <ReviewCard
          {...shown}
          messages={messages}
          theme={scheme}
          headingLevel={2}
          onConfirm={stay}
          onDecline={stay}
          onEdit={stay}
          onExtend={stay}
          onUndo={stay}
        />
      </main>
    </div>
  );
}

/** The gallery as its address asks: the index, or one page with everything that it needs at hand. */
export async function openGallery(search: string): Promise<ReactElement> {
  const { state, theme = "light", locale = "en", width = "360" } = choiceIn(search);
  if (state === undefined) return <GalleryIndex first={{ theme, locale, width }} />;
  const [cards, messages] = await Promise.all([
    ask<GalleryCards>("GET", `/gallery/cards?locale=${part(locale)}`),
    loadMessages(locale),
  ]);
  return <GalleryPage choice={{ state, theme, locale, width }} shown={cards[state]} messages={messages} />;
}
