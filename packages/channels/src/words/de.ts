import type { Words } from "./words.ts";

/** German. */
export const de: Words = {
  whatChanges: "Was sich ändert",
  was: "war {value}",
  now: "jetzt {value}",
  comma: ", ",
  none: "nichts",
  details: "Weitere Angaben",
  notShown: "wird gesendet, hier nicht gezeigt",
  irreversible: "Das kann nicht rückgängig gemacht werden.",
  answerBy: "Offen bis: {time}.",
  choose: "Tippen Sie auf „{confirm}“ oder „{decline}“.",
  means: "„{button}“ bedeutet: {label}.",
  above: "Alles steht in der Nachricht darüber.",
  noButtons: "Keine Schaltflächen? Öffnen Sie diesen Chat in der App auf Ihrem Telefon.",
  review: "Auf einer Seite ansehen oder ändern: {url}",
  reference: "Referenz",
};
