import type { Words } from "./words.ts";

/** Spanish. */
export const es: Words = {
  whatChanges: "Qué cambia",
  was: "era {value}",
  now: "ahora {value}",
  comma: ", ",
  none: "nada",
  details: "Más detalles",
  notShown: "se envía, no se muestra aquí",
  irreversible: "Esto no se puede deshacer.",
  answerBy: "Abierto hasta: {time}.",
  choose: "Toca «{confirm}» o «{decline}».",
  means: "«{button}» significa: {label}.",
  above: "Todo está en el mensaje anterior.",
  noButtons: "¿No ves botones? Abre este chat en la aplicación de tu teléfono.",
  review: "Verlo o cambiarlo en una página: {url}",
  reference: "Referencia",
};
