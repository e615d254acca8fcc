import { asking } from "./channel-contract/asking.ts";
import type { ChannelCase } from "./channel-contract/case.ts";
import { hearing } from "./channel-contract/hearing.ts";
import { sending } from "./channel-contract/sending.ts";

const [first, ...rest] = asking;
if (first === undefined) throw new Error("the channel contract has no cases");

/** Every promise of the channel port, one case each: an adapter's test runs them all, without exception. */
export const channelContract: readonly [ChannelCase, ...ChannelCase[]] = [
  first,
  ...rest,
  ...hearing,
  ...sending,
];
