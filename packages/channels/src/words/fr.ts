import type { Words } from "./words.ts";

/** French. */
export const fr: Words = {
  whatChanges: "Ce qui change",
  was: "avant : {value}",
  now: "maintenant : {value}",
  comma: ", ",
  none: "rien",
  details: "Plus de détails",
  notShown: "envoyé, non affiché ici",
  irreversible: "Cela ne peut pas être annulé.",
  answerBy: "Possible jusqu’au : {time}.",
  choose: "Touchez « {confirm} » ou « {decline} ».",
  means: "« {button} » signifie : {label}.",
  above: "Tout figure dans le message ci-dessus.",
  noButtons: "Pas de boutons ici ? Ouvrez cette discussion dans l’application sur votre téléphone.",
  review: "Voir ou modifier sur une page : {url}",
  reference: "Référence",
};
