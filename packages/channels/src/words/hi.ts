import type { Words } from "./words.ts";

/** Hindi. */
export const hi: Words = {
  whatChanges: "क्या बदलेगा",
  was: "पहले {value}",
  now: "अब {value}",
  comma: ", ",
  none: "कुछ नहीं",
  details: "अधिक जानकारी",
  notShown: "भेजा जाएगा, यहाँ नहीं दिखाया गया",
  irreversible: "इसे वापस नहीं किया जा सकता।",
  answerBy: "इस समय तक खुला: {time}",
  choose: "“{confirm}” या “{decline}” पर टैप करें।",
  means: "“{button}” का अर्थ है: {label}",
  above: "सब कुछ ऊपर के संदेश में है।",
  noButtons: "बटन नहीं दिख रहे? अपने फ़ोन के ऐप में यह चैट खोलें।",
  review: "पेज पर देखें या बदलें: {url}",
  reference: "संदर्भ",
};
