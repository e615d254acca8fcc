import type { Catalogue } from "./catalogue.ts";

/** French. */
export const fr: Catalogue = {
  confirm: "Confirmer",
  decline: "Annuler",
  yes: "Oui",
  no: "Non",
  between: (least, most) => `au moins ${least}, au plus ${most}`,
  scope: { add: "À ajouter", change: "À modifier", remove: "À supprimer", items: "Concerne" },
  receipts: {
    applied: "C’est fait.",
    not_applied: "Cela n’a pas été fait. Rien n’a été modifié.",
    pending: "Accepté, mais pas encore terminé.",
    unknown: "Nous ne savons pas encore si cela a eu lieu ou non.",
    declined: "Vous avez choisi de ne pas le faire. Rien n’a été modifié.",
  },
  checking: "Nous vérifions.",
  states: {
    proposed: "Vous n’avez pas encore décidé. Rien n’a changé.",
    running: "Vous avez confirmé. L’envoi est en cours et le résultat n’est pas encore connu.",
    awaiting_verification: "Vous avez confirmé et devez d’abord vérifier votre identité. Rien n’a changé.",
    pending: "Accepté, mais pas encore terminé.",
    unknown: "Nous ne savons pas encore si cela a eu lieu ou non. Nous vérifions.",
    applied: "C’est fait.",
    not_applied: "Cela n’a pas été fait. Rien n’a été modifié.",
    declined: "Vous avez choisi de ne pas le faire. Rien n’a été modifié.",
    expired: "Le délai pour décider est passé. Rien n’a été modifié.",
    withdrawn: "La proposition a été retirée. Rien n’a été modifié.",
    superseded: "La proposition a été mise de côté. Rien n’a été modifié.",
  },
  chat: {
    answered: "Vous avez déjà répondu.",
    notHere: "Ce bouton n’appartient pas à cette conversation ; rien n’a été fait.",
    changed: "Quelque chose a changé entre-temps. Veuillez regarder le nouveau message.",
    tryLater:
      "Impossible de vérifier pour le moment, et rien n’a été modifié. Veuillez réessayer dans un instant.",
  },
};
