import type { Words } from "./words.ts";

/** Arabic. */
export const ar: Words = {
  whatChanges: "ما الذي يتغير",
  was: "من {value}",
  now: "إلى {value}",
  comma: " ",
  none: "لا شيء",
  details: "تفاصيل أخرى",
  notShown: "يُرسل ولا يُعرض هنا",
  irreversible: "لا يمكن التراجع عن هذا.",
  answerBy: "متاح حتى: {time}.",
  choose: "اضغط «{confirm}» أو «{decline}».",
  means: "«{button}» تعني: {label}.",
  above: "كل شيء مذكور في الرسالة أعلاه.",
  noButtons: "لا ترى الأزرار؟ افتح هذه المحادثة في التطبيق على هاتفك.",
  review: "للعرض أو التعديل على صفحة: {url}",
  reference: "المرجع",
};
