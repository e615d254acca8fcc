import { each, type Meaning } from "../base/failure.ts";

const hour = 3_600_000;

// Twilio's error dictionary, read 2026-11-30.
const meanings: ReadonlyMap<number, Meaning> = new Map([
  ...each([20429, 30001, 63009, 63010, 63012, 63017, 63018, 14107], "retry_later"),
  ...each([63038], "retry_later", { waitMs: hour, alert: true }),
  ...each([63016], "window_closed"),
  ...each([63024, 63003, 63014, 63032, 63033, 63049, 63029, 21211, 21217, 21614, 21610], "undeliverable"),
  ...each([63015, 30003, 30008], "undeliverable"),
  ...each([20003, 20404, 21408, 63001, 63002, 63007, 63008, 63020, 63022, 63026], "auth"),
  ...each([21617, 21619, 21655, 21656, 63005, 63006, 63011, 63013, 63021, 63027, 63028], "bad_request"),
  ...each([63030, 63031, 63040, 63041, 63042], "bad_request"),
]);

/** What a Twilio error code means; undefined where nothing is known of it. */
export function meaningOf(code: string | undefined): Meaning | undefined {
  return code === undefined ? undefined : meanings.get(Number(code));
}
