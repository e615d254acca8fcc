/** What the page itself says, and what a card that may not confirm says in its place. */
export type PageWords = {
  readonly locale: string;
  readonly title: string;
  readonly opening: string;
  readonly noCode: string;
  readonly gone: string;
  readonly unreachable: string;
  readonly again: string;
  readonly lookOnly: string;
  /** On the button, and once it was pressed. */
  readonly elsewhere: string;
  readonly asked: string;
};

/** In English, which stands in for every language that is missing. */
export const english: PageWords = {
  locale: "en",
  title: "Please review",
  opening: "Opening what waits for you…",
  noCode: "This link is not complete. Open it again from where you got it.",
  gone: "This link was used before, or it is too old. Nothing was decided by opening it. Ask for a new link to see what waits for you.",
  unreachable: "The server cannot be reached. Nothing was decided.",
  again: "Try again",
  lookOnly:
    "In this browser you can look at it, change it and decline it. It is confirmed where you were asked, since only there it is certain that it is you.",
  elsewhere: "Confirm elsewhere",
  asked:
    "Not confirmed: this browser does not know that it is you. Confirm where you were asked. In a chat, the question has just been sent to you again.",
};

const spanish: PageWords = {
  locale: "es",
  title: "Revísalo, por favor",
  opening: "Abriendo lo que te espera…",
  noCode: "Este enlace no está completo. Ábrelo de nuevo desde donde lo recibiste.",
  gone: "Este enlace ya se usó o es demasiado antiguo. Al abrirlo no se decidió nada. Pide un enlace nuevo para ver lo que te espera.",
  unreachable: "No se puede contactar con el servidor. No se decidió nada.",
  again: "Intentar de nuevo",
  lookOnly:
    "En este navegador puedes verlo, cambiarlo y rechazarlo. Se confirma donde se te preguntó, porque solo allí es seguro que eres tú.",
  elsewhere: "Confirmar allí",
  asked:
    "Sin confirmar: este navegador no sabe que eres tú. Confirma donde se te preguntó. En un chat, la pregunta se te acaba de enviar otra vez.",
};

const portuguese: PageWords = {
  locale: "pt",
  title: "Confira, por favor",
  opening: "Abrindo o que espera por você…",
  noCode: "Este link não está completo. Abra-o de novo a partir de onde o recebeu.",
  gone: "Este link já foi usado ou é antigo demais. Nada foi decidido ao abri-lo. Peça um novo link para ver o que espera por você.",
  unreachable: "Não foi possível falar com o servidor. Nada foi decidido.",
  again: "Tentar de novo",
  lookOnly:
    "Neste navegador você pode ver, alterar e recusar. A confirmação é feita onde você foi perguntado, pois só ali há certeza de que é você.",
  elsewhere: "Confirmar lá",
  asked:
    "Não confirmado: este navegador não sabe que é você. Confirme onde você foi perguntado. Em um chat, a pergunta acaba de ser enviada de novo.",
};

const french: PageWords = {
  locale: "fr",
  title: "À vérifier",
  opening: "Ouverture de ce qui vous attend…",
  noCode: "Ce lien n’est pas complet. Ouvrez-le de nouveau depuis l’endroit où vous l’avez reçu.",
  gone: "Ce lien a déjà servi ou il est trop ancien. Rien n’a été décidé en l’ouvrant. Demandez un nouveau lien pour voir ce qui vous attend.",
  unreachable: "Le serveur est injoignable. Rien n’a été décidé.",
  again: "Réessayer",
  lookOnly:
    "Dans ce navigateur, vous pouvez consulter, modifier et refuser. La confirmation se fait là où la question vous a été posée, car là seulement il est certain que c’est vous.",
  elsewhere: "Confirmer ailleurs",
  asked:
    "Non confirmé : ce navigateur ne sait pas que c’est vous. Confirmez là où la question vous a été posée. Dans une messagerie, elle vient de vous être renvoyée.",
};

const german: PageWords = {
  locale: "de",
  title: "Bitte prüfen",
  opening: "Wird geöffnet…",
  noCode:
    "Dieser Link ist nicht vollständig. Öffnen Sie ihn noch einmal von dort, wo Sie ihn bekommen haben.",
  gone: "Dieser Link wurde schon benutzt oder ist zu alt. Durch das Öffnen wurde nichts entschieden. Lassen Sie sich einen neuen Link geben.",
  unreachable: "Der Server ist nicht erreichbar. Es wurde nichts entschieden.",
  again: "Erneut versuchen",
  lookOnly:
    "In diesem Browser können Sie es ansehen, ändern und ablehnen. Bestätigt wird dort, wo Sie gefragt wurden, denn nur dort ist sicher, dass Sie es sind.",
  elsewhere: "Dort bestätigen",
  asked:
    "Nicht bestätigt: Dieser Browser weiß nicht, dass Sie es sind. Bestätigen Sie dort, wo Sie gefragt wurden. Im Chat wurde Ihnen die Frage gerade noch einmal geschickt.",
};

const arabic: PageWords = {
  locale: "ar",
  title: "يرجى المراجعة",
  opening: "جارٍ فتح ما ينتظرك…",
  noCode: "هذا الرابط غير مكتمل. افتحه مرة أخرى من حيث حصلت عليه.",
  gone: "استُخدم هذا الرابط من قبل أو أنه قديم جدًا. لم يُقرَّر شيء بفتحه. اطلب رابطًا جديدًا لترى ما ينتظرك.",
  unreachable: "لا يمكن الوصول إلى الخادم. لم يُقرَّر شيء.",
  again: "المحاولة مرة أخرى",
  lookOnly:
    "في هذا المتصفح يمكنك الاطلاع والتعديل والرفض. أما التأكيد فيتم حيث سُئلت، لأنه المكان الوحيد الذي يُعرف فيه يقينًا أنك أنت.",
  elsewhere: "التأكيد هناك",
  asked: "لم يُؤكَّد: لا يعرف هذا المتصفح أنك أنت. أكِّد حيث سُئلت. وفي الدردشة أُرسل إليك السؤال الآن مرة أخرى.",
};

const hindi: PageWords = {
  locale: "hi",
  title: "कृपया जाँचें",
  opening: "जो आपकी प्रतीक्षा में है, वह खुल रहा है…",
  noCode: "यह लिंक अधूरा है। जहाँ से मिला था, वहीं से इसे फिर खोलें।",
  gone: "यह लिंक पहले इस्तेमाल हो चुका है या बहुत पुराना है। इसे खोलने से कुछ भी तय नहीं हुआ। देखने के लिए नया लिंक माँगें।",
  unreachable: "सर्वर से संपर्क नहीं हो पा रहा है। कुछ भी तय नहीं हुआ।",
  again: "फिर कोशिश करें",
  lookOnly:
    "इस ब्राउज़र में आप इसे देख, बदल और अस्वीकार कर सकते हैं। पुष्टि वहीं होती है जहाँ आपसे पूछा गया था, क्योंकि केवल वहीं यह पक्का है कि आप ही हैं।",
  elsewhere: "वहाँ पुष्टि करें",
  asked:
    "पुष्टि नहीं हुई: यह ब्राउज़र नहीं जानता कि आप ही हैं। जहाँ आपसे पूछा गया था, वहाँ पुष्टि करें। चैट में सवाल आपको अभी फिर भेजा गया है।",
};

const japanese: PageWords = {
  locale: "ja",
  title: "ご確認ください",
  opening: "内容を開いています…",
  noCode: "このリンクは不完全です。受け取った場所からもう一度開いてください。",
  gone: "このリンクは使用済みか、期限が過ぎています。開いただけでは何も決まっていません。内容を見るには新しいリンクを依頼してください。",
  unreachable: "サーバーに接続できません。何も決まっていません。",
  again: "もう一度試す",
  lookOnly:
    "このブラウザーでは、内容の確認、変更、お断りができます。承認は、質問を受け取った場所で行います。ご本人であることが確かなのはそこだけだからです。",
  elsewhere: "受信先で承認する",
  asked:
    "まだ承認されていません。このブラウザーではご本人であることを確認できません。質問を受け取った場所で承認してください。チャットの場合は、質問をもう一度送信しました。",
};

/** Every language of the page. */
export const allWords: readonly PageWords[] = [
  english,
  spanish,
  portuguese,
  french,
  german,
  arabic,
  hindi,
  japanese,
];

/** The page's words for somebody who reads these languages, in this order. */
export function wordsFor(languages: readonly string[]): PageWords {
  for (const language of languages) {
    const found = allWords.find(({ locale }) => locale === language.toLowerCase().replace(/-.*/, ""));
    if (found) return found;
  }
  return english;
}
