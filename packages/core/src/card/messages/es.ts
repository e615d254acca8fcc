import type { Catalogue } from "./catalogue.ts";

/** Spanish. */
export const es: Catalogue = {
  confirm: "Confirmar",
  decline: "Cancelar",
  yes: "Sí",
  no: "No",
  between: (least, most) => `como mínimo ${least}, como máximo ${most}`,
  scope: { add: "Se añade", change: "Se cambia", remove: "Se elimina", items: "Afecta a" },
  receipts: {
    applied: "Hecho.",
    not_applied: "No se ha hecho. No se ha cambiado nada.",
    pending: "Aceptado, pero aún no ha terminado.",
    unknown: "No sabemos todavía si se ha realizado o no.",
    declined: "Has decidido no hacerlo. No se ha cambiado nada.",
  },
  checking: "Lo estamos comprobando.",
  states: {
    proposed: "Aún no has decidido. No ha cambiado nada.",
    running: "Has confirmado. Se está enviando y aún no se conoce el resultado.",
    awaiting_verification: "Has confirmado y antes debes verificar que eres tú. No ha cambiado nada.",
    pending: "Aceptado, pero aún no ha terminado.",
    unknown: "No sabemos todavía si se ha realizado o no. Lo estamos comprobando.",
    applied: "Hecho.",
    not_applied: "No se ha hecho. No se ha cambiado nada.",
    declined: "Has decidido no hacerlo. No se ha cambiado nada.",
    expired: "El plazo para decidir ha terminado. No se ha cambiado nada.",
    withdrawn: "Se ha retirado. No se ha cambiado nada.",
    superseded: "Se ha dejado de lado. No se ha cambiado nada.",
  },
  chat: {
    answered: "Ya has respondido a esto.",
    notHere: "Este botón no es de este chat, así que no se ha hecho nada.",
    changed: "Entretanto algo ha cambiado. Mira el mensaje nuevo, por favor.",
    tryLater:
      "Ahora mismo no se puede comprobar y no se ha cambiado nada. Vuelve a tocar dentro de un momento.",
  },
};
