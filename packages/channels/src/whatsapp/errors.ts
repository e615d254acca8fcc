import { each, type Meaning } from "../base/failure.ts";
import type { MeaningOf } from "../meta/graph.ts";

const hour = 3_600_000;
const hint =
  "A test number sends only to numbers on its list, perhaps in another spelling: in Mexico, Brazil and Argentina mobile numbers have two.";

// WhatsApp Cloud API error codes: Meta's page of June 2026, read 2026-11-30. Limits of marketing and spam last for hours.
const meanings: ReadonlyMap<number, Meaning> = new Map([
  ...each([2, 4, 80007, 130429, 131016, 131057, 133004], "retry_later"),
  ...each([131000], "retry_later", { tries: 2 }),
  ...each([131056], "retry_later", { waitMs: 6000 }),
  ...each([131048, 131064], "retry_later", { waitMs: hour, alert: true }),
  ...each([131047], "window_closed"),
  ...each([131026, 131049, 131050, 130472, 130497, 131021, 131062, 137000], "undeliverable"),
  ...each([131030], "undeliverable", { alert: true, hint }),
  ...each([0, 3, 10, 33, 190, 368, 131005, 131031, 131037, 131042, 131045, 133010], "auth"),
  ...each([100, 131008, 131009, 131051, 131052, 131053, 132000, 132001, 132005], "bad_request"),
  ...each([132007, 132008, 132012, 132015, 132016, 132018, 135000], "bad_request"),
]);

/** What an error of the WhatsApp Cloud API means. */
export const meaningOf: MeaningOf = ({ code, status }) => {
  if (code === 1) return status >= 500 ? ["retry_later"] : ["bad_request"];
  if (code >= 200 && code <= 299) return ["auth"];
  return meanings.get(code);
};
