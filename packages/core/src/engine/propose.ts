import type { Instant } from "../base/clock.ts";
import { IntegrityError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { composeCard } from "../card/compose.ts";
import { bindContent, type Content } from "../flow/content.ts";
import type { By, Surface } from "../flow/events.ts";
import { rule } from "../flow/machine.ts";
import type { Principal } from "../flow/principal.ts";
import type { Propose } from "../flow/propose.ts";
import type { WriteTool } from "../tool/define.ts";
import type { CheckedPlan } from "../tool/plan.ts";
import { type Step, stepOf } from "./handle.ts";
import type { Kernel } from "./kernel.ts";
import { leadFor } from "./preview.ts";

const lifetimeSeconds: { readonly [Place in Surface]: number } = {
  web: 900,
  whatsapp: 43_200,
  messenger: 43_200,
  instagram: 43_200,
  mcp: 300,
  cli: 300,
};

/** How long a customer may decide on a proposal of this tool. */
export function lifetimeOf(tool: WriteTool, surface: Surface): number {
  return tool.expiresInSeconds ?? lifetimeSeconds[surface];
}

/** Composes, commits and binds one version of a write. */
export function makeContent(
  kernel: Kernel,
  tool: WriteTool,
  version: {
    readonly principal: Principal;
    readonly args: JsonObject;
    readonly argsText?: string;
    readonly plan: CheckedPlan | undefined;
    readonly locale: string;
    readonly timeZone: string;
  },
): Content {
  const { principal, args, argsText, plan, locale, timeZone } = version;
  return bindContent({
    tool: tool.name,
    toolVersion: tool.toolVersion,
    principal,
    plan,
    args,
    ...(argsText !== undefined && { argsText }),
    card: composeCard(tool, args, { locale, timeZone }, plan),
    salt: kernel.random.salt(),
  });
}

/** A new write, ready to append. */
export function proposeStep(
  kernel: Kernel,
  tool: WriteTool,
  proposal: {
    readonly by: By;
    readonly conversationId: string;
    readonly surface: Surface;
    /** How long the customer may decide. Default: as long as the tool or the surface says. */
    readonly lifetimeMs?: number;
    readonly content: Content;
  },
): Step {
  const at: Instant = kernel.clock.now();
  const { lifetimeMs = lifetimeOf(tool, proposal.surface) * 1000, ...rest } = proposal;
  const command: Propose = {
    type: "propose",
    at,
    ...rest,
    idempotencyKey: kernel.random.key(),
    expiresAt: at + lifetimeMs,
    confirmation: tool.confirmation,
    whilePending: tool.whilePending,
    lead: tool.confirmation === "none" ? leadFor(kernel, tool) : null,
  };
  const ruling = rule(undefined, command);
  if (ruling.kind !== "events") throw new IntegrityError("a proposal is always recorded");
  return stepOf(kernel, kernel.writeId(), undefined, ruling.events);
}
