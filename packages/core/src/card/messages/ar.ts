import type { Catalogue } from "./catalogue.ts";

/** Arabic. */
export const ar: Catalogue = {
  confirm: "تأكيد",
  decline: "إلغاء",
  yes: "نعم",
  no: "لا",
  between: (least, most) => `${least} على الأقل، ${most} على الأكثر`,
  scope: { add: "سيُضاف", change: "سيُغيَّر", remove: "سيُزال", items: "يشمل" },
  receipts: {
    applied: "تم.",
    not_applied: "لم يُنفَّذ الطلب. لم يتغير شيء.",
    pending: "قُبل الطلب ولم يكتمل بعد.",
    unknown: "لا نعلم بعد هل نُفِّذ الطلب أم لا.",
    declined: "قررت عدم المتابعة. لم يتغير شيء.",
  },
  checking: "نتحقق من ذلك الآن.",
  states: {
    proposed: "لم تتخذ قرارك بعد. لم يتغير شيء.",
    running: "أكدت الطلب. يجري إرساله والنتيجة غير معروفة بعد.",
    awaiting_verification: "أكدت الطلب، ويلزم أولاً التحقق من هويتك. لم يتغير شيء.",
    pending: "قُبل الطلب ولم يكتمل بعد.",
    unknown: "لا نعلم بعد هل نُفِّذ الطلب أم لا. نتحقق من ذلك الآن.",
    applied: "تم.",
    not_applied: "لم يُنفَّذ الطلب. لم يتغير شيء.",
    declined: "قررت عدم المتابعة. لم يتغير شيء.",
    expired: "انتهى وقت اتخاذ القرار. لم يتغير شيء.",
    withdrawn: "سُحب الطلب. لم يتغير شيء.",
    superseded: "نُحّي الطلب جانبًا. لم يتغير شيء.",
  },
};
