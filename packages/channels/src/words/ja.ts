import type { Words } from "./words.ts";

/** Japanese. */
export const ja: Words = {
  whatChanges: "変更内容",
  was: "変更前 {value}",
  now: "変更後 {value}",
  comma: "、",
  none: "なし",
  details: "その他の詳細",
  notShown: "送信されますが、ここには表示されません",
  irreversible: "この操作は取り消せません。",
  answerBy: "回答期限：{time}",
  choose: "「{confirm}」または「{decline}」を押してください。",
  means: "「{button}」は次の意味です：{label}",
  above: "すべての内容は上のメッセージにあります。",
  noButtons: "ボタンが表示されない場合は、スマートフォンのアプリでこのチャットを開いてください。",
  review: "ページで確認・変更する: {url}",
  reference: "参照番号",
};
