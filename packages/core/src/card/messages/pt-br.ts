import type { Catalogue } from "./catalogue.ts";

/** Brazilian Portuguese. */
export const ptBr: Catalogue = {
  confirm: "Confirmar",
  decline: "Cancelar",
  yes: "Sim",
  no: "Não",
  between: (least, most) => `no mínimo ${least}, no máximo ${most}`,
  scope: { add: "A adicionar", change: "A alterar", remove: "A remover", items: "Afeta" },
  receipts: {
    applied: "Feito.",
    not_applied: "Não foi feito. Nada foi alterado.",
    pending: "Aceito, mas ainda não concluído.",
    unknown: "Ainda não sabemos se isso foi realizado ou não.",
    declined: "Você decidiu não fazer isso. Nada foi alterado.",
  },
  checking: "Estamos verificando.",
  states: {
    proposed: "Você ainda não decidiu. Nada mudou.",
    running: "Você confirmou. Está sendo enviado e o resultado ainda não é conhecido.",
    awaiting_verification: "Você confirmou e antes precisa verificar que é você. Nada mudou.",
    pending: "Aceito, mas ainda não concluído.",
    unknown: "Ainda não sabemos se isso foi realizado ou não. Estamos verificando.",
    applied: "Feito.",
    not_applied: "Não foi feito. Nada foi alterado.",
    declined: "Você decidiu não fazer isso. Nada foi alterado.",
    expired: "O prazo para decidir terminou. Nada foi alterado.",
    withdrawn: "Isso foi retirado. Nada foi alterado.",
    superseded: "Isso foi deixado de lado. Nada foi alterado.",
  },
  chat: {
    answered: "Você já respondeu a isto.",
    notHere: "Este botão não é desta conversa, então nada foi feito.",
    changed: "Algo mudou nesse meio-tempo. Veja a nova mensagem, por favor.",
    tryLater: "Não é possível verificar agora, e nada foi alterado. Toque de novo daqui a pouco.",
  },
};
