import { each, type Meaning } from "../base/failure.ts";
import type { MeaningOf } from "./graph.ts";

// Codes of the Messenger and Instagram send API, read 2026-11-30; the more exact `code/subcode` goes first.
const exact: ReadonlyMap<string, Meaning> = new Map([
  ...each(["2/1545133"], "retry_later"),
  ...each(["10/2018278", "10/2534022"], "window_closed"),
  ...each(["200/1545041", "10/2018108", "100/2018001", "100/33", "100/2534014"], "undeliverable"),
  ...each(["613/1893016"], "auth"),
]);

const meanings: ReadonlyMap<number, Meaning> = new Map([
  ...each([2], "retry_later", { tries: 2 }),
  ...each([4, 17, 32, 613, 80006, 1200], "retry_later"),
  ...each([551], "undeliverable"),
  ...each([3, 10, 190, 200, 230, 368], "auth"),
  ...each([100, 2018109], "bad_request"),
]);

const archived = 2534001;

/** What an error of the Messenger or Instagram send API means. */
export const meaningOf: MeaningOf = ({ code, subcode, message, status }) => {
  if (subcode === archived) return ["undeliverable"];
  if (/outside (of )?(the )?allowed window/i.test(message)) return ["window_closed"];
  if (code === 1) return status >= 500 && subcode !== 99 ? ["retry_later"] : ["bad_request"];
  return exact.get(`${code}/${subcode}`) ?? meanings.get(code);
};
