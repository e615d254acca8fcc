import { addMessages } from "../element/catalogues.ts";
import type { ReviewCardElement } from "../element/review-card-element.ts";
import { baseOfPage, takeCode } from "./code.ts";
import { confirmElsewhere } from "./elsewhere.ts";
import { exchangeCode } from "./exchange.ts";
import { allWords, type PageWords, wordsFor } from "./words.ts";

/** The window of the page, as much as is needed of it. */
export type PageWindow = Pick<
  Window & typeof globalThis,
  "location" | "history" | "document" | "navigator" | "fetch" | "addEventListener" | "removeEventListener"
>;

/** Resolves once a person can see the page: a browser may load, and even run, what nobody has asked for yet. */
function shown(document: Document): Promise<void> {
  const isShown = (): boolean =>
    !document.hidden && !(document as { readonly prerendering?: boolean }).prerendering;
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isShown()) return;
      document.removeEventListener("visibilitychange", look);
      document.removeEventListener("prerenderingchange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    document.addEventListener("prerenderingchange", look);
    look();
  });
}

type Parts = { readonly note: HTMLElement; readonly card: ReviewCardElement };

function build(document: Document, words: PageWords): Parts {
  document.documentElement.lang = words.locale;
  document.documentElement.dir = words.locale === "ar" ? "rtl" : "ltr";
  document.title = words.title;
  const main = document.querySelector("main") ?? document.body.appendChild(document.createElement("main"));
  const title = document.createElement("h1");
  title.textContent = words.title;
  const note = document.createElement("p");
  note.setAttribute("role", "status");
  const card = document.createElement("review-card") as ReviewCardElement;
  card.setAttribute("heading-level", "2");
  main.replaceChildren(title, note, card);
  return { note, card };
}

/**
 * Runs the page that a review link opens: takes the code from the address, exchanges it once the page is seen, and shows
 * the card. Nothing here decides; that takes a press on the card. The returned function leaves the page as it is.
 */
export function startReviewPage(page: PageWindow): () => void {
  const { document, location } = page;
  const words = wordsFor(page.navigator.languages);
  const baseUrl = baseOfPage(location.pathname);
  let code = takeCode(page);
  let latest = 0;
  for (const { locale, asked } of allWords) addMessages({ locale, refusals: { surface_unsupported: asked } });
  const { note, card } = build(document, words);

  function say(text: string, retry?: () => void): void {
    note.textContent = text;
    if (!retry) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.again;
    button.addEventListener("click", retry);
    note.append(" ", button);
  }

  async function open(): Promise<void> {
    latest += 1;
    const mine = latest;
    card.token = null;
    if (code === "") return say(words.noCode);
    say(words.opening);
    await shown(document);
    if (mine !== latest) return;
    const found = await exchangeCode((input, init) => page.fetch(input, init), baseUrl, code);
    if (mine !== latest) return;
    if (found.type === "unreachable") return say(words.unreachable, () => void open());
    code = "";
    if (found.type === "gone") return say(words.gone);
    say(found.mayConfirm ? "" : words.lookOnly);
    card.baseUrl = baseUrl;
    card.adapt = found.mayConfirm ? null : confirmElsewhere;
    card.token = found.token;
  }

  // Another link pasted into the same tab changes the fragment and loads nothing.
  const openNext = (): void => {
    const next = takeCode(page);
    if (next === "") return;
    code = next;
    void open();
  };
  page.addEventListener("hashchange", openNext);
  void open();
  return () => page.removeEventListener("hashchange", openNext);
}
