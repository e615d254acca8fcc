// To use

export { canonical } from "./base/canonical.ts";
// For adapter authors
export { type Cancel, type Clock, type Instant, systemClock } from "./base/clock.ts";
export { ConfigurationError, framesOf, IntegrityError, UnavailableError } from "./base/errors.ts";
// Types
export type { Json, JsonObject } from "./base/json.ts";
export { type Random, systemRandom } from "./base/random.ts";
export type { Issue, JsonSchema, ToolSchema } from "./base/schema.ts";
export { makeSeal, type Seal } from "./base/seal.ts";
export { isLocale, isTimeZone } from "./card/locale.ts";
export type { Card, CardChange, CardField, FrozenCard, Receipt, WriteState } from "./card/model.ts";
export type { ChatMessage, OnMessage } from "./engine/chats/message.ts";
export { defineConfig, env, type ServerConfig } from "./engine/config.ts";
export {
  type Confirmation,
  type ConfirmationSeal,
  type ConfirmedCall,
  confirmationSeal,
} from "./engine/confirmation-token.ts";
export { createEngine, type EngineOptions } from "./engine/create.ts";
export type {
  AgentView,
  CallAnswer,
  CardPage,
  CardSession,
  CustomerView,
  Engine,
  HostView,
  OperatorView,
  PrincipalView,
} from "./engine/engine.ts";
export type { Mode } from "./engine/kernel.ts";
export type { EngineEvent, Logger } from "./engine/observe.ts";
export type { OutcomeNotice, OutcomeWrite, Receiver, ReceiverAnswer } from "./engine/receiver.ts";
export type { RetentionOptions } from "./engine/retention.ts";
export { observeEngine, type TelemetryMeter, type TelemetryTracer } from "./engine/telemetry.ts";
export type { AgentWrite, ExportedEvent, ExportedJournal, OperatorWrite } from "./engine/views.ts";
export type { OperatorPrincipal } from "./flow/principal.ts";
export { isRefusal, type Refusal, type SessionEnd } from "./flow/refusal.ts";
export { memoryStore } from "./memory/store.ts";
export type {
  Channel,
  ChannelKind,
  ContentIds,
  FailureClass,
  InboundEvent,
  InboundRequest,
  OutboundMessage,
  Prompt,
  PromptTime,
  Reading,
  SendContext,
  Sender,
  SendFailure,
  SendResult,
  SetupContext,
  SetupProblem,
  WebhookAnswer,
} from "./ports/channel.ts";
export type { ChatStore } from "./ports/chat-store.ts";
export { checkAppend } from "./ports/check-append.ts";
export { type DeliveryStatus, laterStatus } from "./ports/delivery-status.ts";
export {
  type PromptToken,
  type PromptTokens,
  parsePromptToken,
  promptTokens,
} from "./ports/prompt-token.ts";
export { isSameConversation } from "./ports/same-conversation.ts";
export type {
  Append,
  AppendResult,
  ContactRow,
  ConversationRow,
  DeliveryRow,
  Erasure,
  Guard,
  InboxRow,
  JournalRow,
  KeyRow,
  PlainRow,
  PromptRow,
  PromptStatus,
  Store,
  StoreChange,
  StoredWrite,
  WriteAppend,
  WriteFilter,
  WriteRow,
} from "./ports/store.ts";
export { checkLimit, parseWriteCursor, writeCursor } from "./ports/write-cursor.ts";
export type { ReadContext, ReadTool, Tool, ToolDefinition, WriteContext, WriteTool } from "./tool/define.ts";
export { defineTool } from "./tool/define-tool.ts";
export type { Applied, Level, Outcome, Pending, Rejected, StepUpRequired } from "./tool/outcome.ts";
export { applied, pending, rejected, stepUpRequired } from "./tool/outcome.ts";
export type { CheckedPlan, Plan, PlanEffect, Target, Tolerance } from "./tool/plan.ts";
export type { Format, Presentation, PresentationField, ReceiptField, Text } from "./tool/presentation.ts";
export { stepUpFromChallenge } from "./tool/step-up-challenge.ts";
