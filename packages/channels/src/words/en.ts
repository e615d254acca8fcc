import type { Words } from "./words.ts";

/** English. */
export const en: Words = {
  whatChanges: "What changes",
  was: "was {value}",
  now: "now {value}",
  comma: ", ",
  none: "none",
  details: "More details",
  notShown: "sent, not shown here",
  irreversible: "This cannot be undone.",
  answerBy: "Open until {time}.",
  choose: "Tap “{confirm}” or “{decline}”.",
  means: "“{button}” means: {label}.",
  above: "Everything is listed in the message above.",
  noButtons: "No buttons here? Open this chat in the app on your phone.",
  review: "See or change it on a page: {url}",
  reference: "Reference",
};
