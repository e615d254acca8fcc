import type { Json, JsonObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import type { Issue, JsonSchema, ToolSchema } from "../base/schema.ts";
import type { Level, Outcome, Rejected, StepUpRequired } from "./outcome.ts";
import type { CheckedPlan, Plan } from "./plan.ts";
import type { Presentation, ResolvedPresentation } from "./presentation.ts";

/** What a read's handler is given beside its arguments. */
export type ReadContext = {
  /** Aborted when `timeoutSeconds` are over. */
  readonly signal: AbortSignal;
  /** Configured secrets; throws for a name that is not configured. */
  readonly secrets: { get(name: string): string };
  /** The verified customer's own id, as the host stated it, and how sure the sign-in is; null while nobody is verified. */
  readonly customer: {
    readonly customerId: string;
    readonly level: Level;
    readonly authenticatedAt: number;
  } | null;
  readonly conversationId: string;
};

/** What a write's handler is given beside its arguments. */
export type WriteContext = ReadContext & {
  /** The same for every attempt and status check of this write, different for every other. Send it to your API. */
  readonly idempotencyKey: string;
  /** 1 for the first run. */
  readonly attempt: number;
  /**
   * What the customer confirmed beyond the arguments: targets with their versions, amounts with their tolerance; so that the
   * tool can send If-Match or a maximum. Null for a tool without `preview`. Deep-frozen.
   */
  readonly plan: CheckedPlan | null;
  /**
   * Marks the place from which on something may have been changed. A handler whose own code calls it tells two throws apart:
   * before it nothing was changed (`not_applied`), after it nobody knows (`unknown`). Throws once the run's time is over.
   */
  beginWrite(): void;
};

type Previewed = Plan | Rejected | StepUpRequired;

type Returned<Value> = Value | Outcome<Value> | Promise<Value | Outcome<Value>>;

type Common<Input, InputOutput, Value> = {
  /** 1 to 64 of `A–Z a–z 0–9 _ -`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The author's own version; part of the tool's version. */
  readonly version?: string;
  readonly input: ToolSchema<Input, InputOutput>;
  readonly output: ToolSchema<unknown, Value>;
  /** Who may use it. Default: `verified`. */
  readonly customer?: "verified" | "any";
  /** 1 to 300. Default: 15. */
  readonly timeoutSeconds?: number;
};

/** A tool that only looks things up. */
export type ReadDefinition<Input, Parsed, Value> = Common<Input, Parsed, Value> & {
  readonly effect: "read";
  handler(args: NoInfer<Parsed>, context: ReadContext): Returned<NoInfer<Value>>;
};

/** A tool that changes something outside the conversation. */
export type WriteDefinition<Input, Parsed, Value> = Common<Input, Parsed, Value> & {
  readonly effect: "write";
  /** Default: `required`. `none` runs as soon as the agent calls it: for low-risk writes only. */
  readonly confirmation?: "required" | "none";
  /** Default: `standard`. */
  readonly risk?: "low" | "standard" | "high";
  /** Which operators may use it over MCP and at the command line. */
  readonly access?: { readonly roles: readonly string[]; readonly scopes: readonly string[] };
  /** "More time": how much, how often. Absent: not extendable. */
  readonly extend?: { readonly seconds: number; readonly times: number };
  /** How long a customer may decide. Default: 900 on the web, 300 over MCP and at the command line. */
  readonly expiresInSeconds?: number;
  /** What may be done when the outcome is unknown: ask `status`, run again under the `same_key`, or leave it to an `operator`. */
  readonly recovery: "status" | "same_key" | "operator";
  /** Whether a pending write blocks other writes of its conversation. Default: `allow`. */
  readonly whilePending?: "block" | "allow";
  readonly presentation?: Presentation;
  /** Places of the result (JSON pointers) that are handed out once, to the operator who confirmed, and never stored. */
  readonly oneTime?: readonly string[];
  /**
   * Looks at what the write would do, without changing anything: when it is proposed, at every edit, and again when it is
   * confirmed. `rejected(message)`: it cannot be done. A throw: it cannot be told now.
   */
  preview?(args: NoInfer<Parsed>, context: ReadContext): Previewed | Promise<Previewed>;
  handler(args: NoInfer<Parsed>, context: WriteContext): Returned<NoInfer<Value>>;
  status?(
    known: { readonly operationRef: string | undefined },
    context: WriteContext,
  ): Returned<NoInfer<Value>>;
};

/** What an author writes. */
export type ToolDefinition<Input, Parsed, Value> =
  | ReadDefinition<Input, Parsed, Value>
  | WriteDefinition<Input, Parsed, Value>;

type ToolCommon = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly customer: "verified" | "any";
  readonly timeoutSeconds: number;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** 64 lower-case hex digits: changes when anything that a customer's decision depends on changes. */
  readonly toolVersion: string;
  /**
   * Checks arguments of unknown origin: plain JSON within its limits, nothing the schema would drop. `text` is their
   * canonical JSON. Throws when what the schema makes of them does not parse to the same again: a fault of the tool.
   */
  parseInput(
    value: unknown,
  ): Promise<{ readonly args: JsonObject; readonly text: string } | { readonly issues: readonly Issue[] }>;
  /** Checks a handler's value against the output schema; undefined counts as null. */
  parseOutput(value: unknown): Promise<{ readonly value: Json } | { readonly issues: readonly Issue[] }>;
};

/** A checked read tool. */
export type ReadTool = ToolCommon & {
  readonly effect: "read";
  handler(args: JsonObject, context: ReadContext): unknown;
};

/** A checked write tool. */
export type WriteTool = ToolCommon & {
  readonly effect: "write";
  readonly confirmation: "required" | "none";
  readonly risk: "low" | "standard" | "high";
  readonly access: { readonly roles: readonly string[]; readonly scopes: readonly string[] };
  readonly extend: { readonly seconds: number; readonly times: number } | undefined;
  readonly expiresInSeconds: number | undefined;
  readonly recovery: "status" | "same_key" | "operator";
  readonly whilePending: "block" | "allow";
  readonly presentation: ResolvedPresentation;
  readonly oneTime: readonly Pointer[];
  /** True when the handler's own code calls `beginWrite`. */
  readonly marksWriting: boolean;
  readonly preview: ((args: JsonObject, context: ReadContext) => unknown) | undefined;
  handler(args: JsonObject, context: WriteContext): unknown;
  readonly status:
    | ((known: { readonly operationRef: string | undefined }, context: WriteContext) => unknown)
    | undefined;
};

/** A tool that passed every check of {@link defineTool}. */
export type Tool = ReadTool | WriteTool;
