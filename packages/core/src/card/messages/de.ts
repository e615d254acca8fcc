import type { Catalogue } from "./catalogue.ts";

/** German. */
export const de: Catalogue = {
  confirm: "Bestätigen",
  decline: "Abbrechen",
  yes: "Ja",
  no: "Nein",
  between: (least, most) => `mindestens ${least}, höchstens ${most}`,
  scope: { add: "Kommt hinzu", change: "Wird geändert", remove: "Wird entfernt", items: "Betrifft" },
  receipts: {
    applied: "Erledigt.",
    not_applied: "Nicht ausgeführt. Es wurde nichts geändert.",
    pending: "Angenommen, aber noch nicht abgeschlossen.",
    unknown: "Es ist noch nicht bekannt, ob es ausgeführt wurde.",
    declined: "Sie haben sich dagegen entschieden. Es wurde nichts geändert.",
  },
  checking: "Das wird gerade geprüft.",
  states: {
    proposed: "Sie haben noch nicht entschieden. Es hat sich nichts geändert.",
    running: "Sie haben bestätigt. Es wird gesendet, das Ergebnis ist noch nicht bekannt.",
    awaiting_verification:
      "Sie haben bestätigt und müssen zuerst nachweisen, dass Sie es sind. Es hat sich nichts geändert.",
    pending: "Angenommen, aber noch nicht abgeschlossen.",
    unknown: "Es ist noch nicht bekannt, ob es ausgeführt wurde. Das wird gerade geprüft.",
    applied: "Erledigt.",
    not_applied: "Nicht ausgeführt. Es wurde nichts geändert.",
    declined: "Sie haben sich dagegen entschieden. Es wurde nichts geändert.",
    expired: "Die Zeit zum Entscheiden ist vorbei. Es wurde nichts geändert.",
    withdrawn: "Der Vorschlag wurde zurückgezogen. Es wurde nichts geändert.",
    superseded: "Der Vorschlag wurde beiseitegelegt. Es wurde nichts geändert.",
  },
  chat: {
    answered: "Darauf haben Sie schon geantwortet.",
    notHere: "Dieser Knopf gehört nicht zu diesem Chat; es wurde nichts getan.",
    changed: "Inzwischen hat sich etwas geändert. Bitte sehen Sie sich die neue Nachricht an.",
    tryLater:
      "Das lässt sich gerade nicht prüfen, und es wurde nichts geändert. Bitte tippen Sie gleich noch einmal.",
  },
};
