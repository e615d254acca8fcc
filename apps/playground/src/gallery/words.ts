type Words = { readonly [locale: string]: string };

/** One text in the gallery's languages, in the order of its locales. */
function text(
  ...[en, es, ptBr, fr, de, ar, hi, ja]: readonly [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
): Words {
  return { en, es, "pt-BR": ptBr, fr, de, ar, hi, ja };
}

type Name =
  | "order"
  | "reason"
  | "account"
  | "phone"
  | "note"
  | "line"
  | "late"
  | "other"
  | "status"
  | "open"
  | "cancelled"
  | "refund"
  | "refundDays"
  | "cancelTitle"
  | "cancel"
  | "keep"
  | "cancelDone"
  | "reopen"
  | "reopenNote"
  | "shipped"
  | "accepted"
  | "mistaken"
  | "closeTitle"
  | "close"
  | "keepAccount"
  | "credit"
  | "sendTitle"
  | "send"
  | "doNotSend";

/** What the gallery's tools say, in every language of the card. */
export const words: { readonly [name in Name]: Words } = {
  order: text("Order", "Pedido", "Pedido", "Commande", "Bestellung", "الطلب", "ऑर्डर", "注文"),
  reason: text("Reason", "Motivo", "Motivo", "Motif", "Grund", "السبب", "कारण", "理由"),
  account: text("Account", "Cuenta", "Conta", "Compte", "Konto", "الحساب", "खाता", "アカウント"),
  phone: text("Phone", "Teléfono", "Telefone", "Téléphone", "Telefon", "الهاتف", "फ़ोन", "電話"),
  note: text("Note", "Nota", "Observação", "Note", "Notiz", "ملاحظة", "टिप्पणी", "メモ"),
  line: text("Line", "Línea", "Linha", "Ligne", "Zeile", "السطر", "पंक्ति", "行"),
  late: text(
    "Arrives too late",
    "Llega demasiado tarde",
    "Chega tarde demais",
    "Arrive trop tard",
    "Kommt zu spät",
    "يصل متأخرًا جدًا",
    "बहुत देर से पहुँचेगा",
    "到着が遅すぎる",
  ),
  other: text(
    "Another reason",
    "Otro motivo",
    "Outro motivo",
    "Autre motif",
    "Anderer Grund",
    "سبب آخر",
    "कोई और कारण",
    "その他の理由",
  ),
  status: text("Status", "Estado", "Situação", "État", "Zustand", "الحالة", "स्थिति", "状態"),
  open: text("Open", "Abierto", "Aberto", "En cours", "Offen", "مفتوح", "खुला", "受付中"),
  cancelled: text("Cancelled", "Cancelado", "Cancelado", "Annulée", "Storniert", "ملغى", "रद्द", "取消済み"),
  refund: text(
    "You get back",
    "Se te devuelve",
    "Você recebe de volta",
    "Vous récupérez",
    "Sie erhalten zurück",
    "تسترد",
    "आपको वापस मिलेगा",
    "返金額",
  ),
  refundDays: text(
    "Refunds take 5 days.",
    "Los reembolsos tardan 5 días.",
    "Reembolsos levam 5 dias.",
    "Les remboursements prennent 5 jours.",
    "Rückzahlungen dauern 5 Tage.",
    "تستغرق عمليات الاسترداد ٥ أيام.",
    "रिफ़ंड में 5 दिन लगते हैं।",
    "返金には5日かかります。",
  ),
  cancelTitle: text(
    "Cancel this order?",
    "¿Cancelar este pedido?",
    "Cancelar este pedido?",
    "Annuler cette commande ?",
    "Diese Bestellung stornieren?",
    "هل تريد إلغاء هذا الطلب؟",
    "यह ऑर्डर रद्द करें?",
    "この注文を取り消しますか？",
  ),
  cancel: text(
    "Cancel order",
    "Cancelar pedido",
    "Cancelar pedido",
    "Annuler la commande",
    "Jetzt stornieren",
    "إلغاء الطلب",
    "ऑर्डर रद्द करें",
    "注文を取り消す",
  ),
  keep: text(
    "Keep order",
    "Mantener pedido",
    "Manter pedido",
    "Garder la commande",
    "Bestellung behalten",
    "إبقاء الطلب",
    "ऑर्डर रखें",
    "注文を残す",
  ),
  cancelDone: text(
    "Order cancelled",
    "Pedido cancelado",
    "Pedido cancelado",
    "Commande annulée",
    "Bestellung storniert",
    "أُلغي الطلب",
    "ऑर्डर रद्द हुआ",
    "注文を取り消しました",
  ),
  reopen: text(
    "Reopen order",
    "Reabrir pedido",
    "Reabrir pedido",
    "Rouvrir la commande",
    "Wieder aufnehmen",
    "إعادة فتح الطلب",
    "ऑर्डर फिर खोलें",
    "注文を元に戻す",
  ),
  reopenNote: text(
    "Possible until the order is packed.",
    "Posible hasta que se prepare el pedido.",
    "Possível até o pedido ser embalado.",
    "Possible jusqu’à la préparation de la commande.",
    "Möglich, bis die Bestellung gepackt ist.",
    "ممكن حتى تجهيز الطلب.",
    "ऑर्डर पैक होने तक संभव।",
    "梱包前まで可能です。",
  ),
  shipped: text(
    "The order is on its way already.",
    "El pedido ya está en camino.",
    "O pedido já está a caminho.",
    "La commande est déjà en route.",
    "Die Bestellung ist schon unterwegs.",
    "الطلب في الطريق بالفعل.",
    "ऑर्डर रास्ते में है।",
    "注文はすでに発送されています。",
  ),
  accepted: text(
    "The warehouse has been asked.",
    "Se ha preguntado al almacén.",
    "O depósito foi consultado.",
    "L’entrepôt a été prévenu.",
    "Das Lager ist gefragt.",
    "تم سؤال المستودع.",
    "गोदाम से पूछा गया है।",
    "倉庫に確認中です。",
  ),
  mistaken: text(
    "It was asked for by mistake",
    "Se pidió por error",
    "Foi pedido por engano",
    "Demandé par erreur",
    "Es war ein Versehen",
    "طُلب بالخطأ",
    "ग़लती से माँगा गया",
    "誤って依頼されました",
  ),
  closeTitle: text(
    "Close this account?",
    "¿Cerrar esta cuenta?",
    "Encerrar esta conta?",
    "Fermer ce compte ?",
    "Dieses Konto schließen?",
    "هل تريد إغلاق هذا الحساب؟",
    "यह खाता बंद करें?",
    "このアカウントを閉じますか？",
  ),
  close: text(
    "Close account",
    "Cerrar cuenta",
    "Encerrar conta",
    "Fermer le compte",
    "Konto schließen",
    "إغلاق الحساب",
    "खाता बंद करें",
    "アカウントを閉じる",
  ),
  keepAccount: text(
    "Keep account",
    "Mantener cuenta",
    "Manter conta",
    "Garder le compte",
    "Konto behalten",
    "إبقاء الحساب",
    "खाता रखें",
    "アカウントを残す",
  ),
  credit: text(
    "Orders, invoices and your credit are deleted.",
    "Se eliminan los pedidos, las facturas y tu saldo.",
    "Pedidos, faturas e o seu crédito serão apagados.",
    "Les commandes, les factures et votre avoir sont supprimés.",
    "Bestellungen, Rechnungen und Ihr Guthaben werden gelöscht.",
    "تُحذف الطلبات والفواتير ورصيدك.",
    "ऑर्डर, बिल और आपका क्रेडिट हटा दिए जाएँगे।",
    "注文、請求書、残高が削除されます。",
  ),
  sendTitle: text(
    "Send this to the courier?",
    "¿Enviar esto al mensajero?",
    "Enviar isto ao entregador?",
    "Envoyer ceci au livreur ?",
    "Das an den Boten senden?",
    "هل تريد إرسال هذا إلى المندوب؟",
    "इसे कूरियर को भेजें?",
    "これを配達員に送りますか？",
  ),
  send: text(
    "Send note",
    "Enviar nota",
    "Enviar observação",
    "Envoyer la note",
    "Notiz senden",
    "إرسال الملاحظة",
    "टिप्पणी भेजें",
    "メモを送る",
  ),
  doNotSend: text(
    "Do not send",
    "No enviar",
    "Não enviar",
    "Ne pas envoyer",
    "Nicht senden",
    "عدم الإرسال",
    "न भेजें",
    "送らない",
  ),
};
