// For tests of what uses the core.

// For adapter authors.
export type { BrokenStore } from "./broken-store.ts";
export { brokenStores } from "./broken-stores.ts";
export {
  type ChannelCase,
  type ChannelSubject,
  type CustomerAct,
  exampleCard,
  exampleContext,
  missingTexts,
  type PlatformAnswer,
  shownTexts,
} from "./channel-contract/case.ts";
export { channelContract } from "./channel-contract.ts";
export { type FaultInjector, faultInjector, InjectedError, type InjectedFault } from "./fault-injector.ts";
export { type ManualClock, manualClock } from "./manual-clock.ts";
export { type PaperChannel, type PaperMessage, paperChannel } from "./paper-channel.ts";
export {
  appendOf,
  contactRow,
  conversationRow,
  deliveryRow,
  inboxRow,
  journalRow,
  keyRow,
  nextStep,
  plainRow,
  promptRow,
  proposal,
  writeRow,
} from "./rows.ts";
export type { StoreCase, StoreSubject } from "./store-contract/case.ts";
export { storeContract } from "./store-contract.ts";
// For authors of tools.
export { type ToolCase, type ToolSubject, toolContract } from "./tool-contract.ts";
