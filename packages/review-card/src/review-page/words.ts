/** What the page itself says. */
export type PageWords = {
  readonly title: string;
  readonly opening: string;
  readonly noCode: string;
  readonly gone: string;
  readonly unreachable: string;
  readonly again: string;
  readonly lookOnly: string;
};

/** In English. */
export const english: PageWords = {
  title: "Please review",
  opening: "Opening what waits for you…",
  noCode: "This link is not complete. Open it again from where you got it.",
  gone: "This link was used before, or it is too old. Nothing was decided by opening it. Ask for a new link to see what waits for you.",
  unreachable: "The server cannot be reached. Nothing was decided.",
  again: "Try again",
  lookOnly:
    "In this browser you can look at it, change it and decline it. It is confirmed where you were asked, since only there it is certain that it is you.",
};
