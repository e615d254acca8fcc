import type { Words } from "./words.ts";

/** Portuguese, as written in Brazil. */
export const ptBr: Words = {
  whatChanges: "O que muda",
  was: "era {value}",
  now: "agora {value}",
  comma: ", ",
  none: "nada",
  details: "Mais detalhes",
  notShown: "enviado, não mostrado aqui",
  irreversible: "Isto não pode ser desfeito.",
  answerBy: "Aberto até: {time}.",
  choose: "Toque em “{confirm}” ou “{decline}”.",
  means: "“{button}” significa: {label}.",
  above: "Tudo está na mensagem acima.",
  noButtons: "Não vê os botões? Abra esta conversa no aplicativo do celular.",
  review: "Ver ou alterar em uma página: {url}",
  reference: "Referência",
};
