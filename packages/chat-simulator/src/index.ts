// To use

// Types
export type { InstagramAccount, MessengerAccount } from "./messaging/account.ts";
export type { Phone } from "./phone.ts";
export type { PlatformName } from "./platform.ts";
export {
  type ChatSimulator,
  openChatSimulator,
  type SimulatedAccount,
  type SimulatorOptions,
} from "./simulator.ts";
export type { SetupFault, Switches } from "./switches.ts";
export type { MessageStatus, ThreadMessage } from "./thread.ts";
export type { ApprovedContent, TwilioAccount } from "./twilio/account.ts";
export type { ApprovedTemplate, WhatsAppAccount } from "./whatsapp/account.ts";
