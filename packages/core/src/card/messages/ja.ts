import type { Catalogue } from "./catalogue.ts";

/** Japanese. */
export const ja: Catalogue = {
  confirm: "確定する",
  decline: "キャンセル",
  yes: "はい",
  no: "いいえ",
  between: (least, most) => `最小 ${least}、最大 ${most}`,
  scope: { add: "追加", change: "変更", remove: "削除", items: "対象" },
  receipts: {
    applied: "完了しました。",
    not_applied: "実行されませんでした。何も変更されていません。",
    pending: "受け付けられましたが、まだ終わっていません。",
    unknown: "実行されたかどうかは、まだわかりません。",
    declined: "実行しないことを選びました。何も変更されていません。",
  },
  checking: "現在確認しています。",
  states: {
    proposed: "まだ決定されていません。何も変更されていません。",
    running: "確定しました。送信中で、結果はまだわかりません。",
    awaiting_verification: "確定しました。先に本人確認が必要です。何も変更されていません。",
    pending: "受け付けられましたが、まだ終わっていません。",
    unknown: "実行されたかどうかは、まだわかりません。現在確認しています。",
    applied: "完了しました。",
    not_applied: "実行されませんでした。何も変更されていません。",
    declined: "実行しないことを選びました。何も変更されていません。",
    expired: "決定できる期間が終わりました。何も変更されていません。",
    withdrawn: "取り下げられました。何も変更されていません。",
    superseded: "この提案は取り消されました。何も変更されていません。",
  },
  chat: {
    answered: "これにはすでにお答えいただいています。",
    notHere: "このボタンはこのチャットのものではないため、何も行われませんでした。",
    changed: "その間に内容が変わりました。新しいメッセージをご確認ください。",
    tryLater: "現在は確認できず、何も変更されていません。しばらくしてからもう一度タップしてください。",
  },
};
