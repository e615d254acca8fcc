import type { Instant } from "../base/clock.ts";
import { IntegrityError } from "../base/errors.ts";
import type { Issue } from "../base/schema.ts";
import type { DraftEvent } from "../flow/events.ts";
import { meetsStepUp } from "../flow/identity.ts";
import { type Command, rule } from "../flow/machine.ts";
import type { CustomerPrincipal } from "../flow/principal.ts";
import type { Write, WriteIn } from "../flow/write.ts";
import type { ConversationRow } from "../ports/store.ts";
import { leaveChat } from "./chats/contact.ts";
import { chatDelivery } from "./chats/duties.ts";
import type { HostView } from "./engine.ts";
import { appendSteps, load, type Step, stepOf } from "./handle.ts";
import { type Kernel, maxRounds, writeToolOf } from "./kernel.ts";
import { previewWrite, recheck } from "./preview.ts";
import { lifetimeOf, makeContent } from "./propose.ts";

// A host's clock may be a little ahead of ours; more than this is a mistake or a forgery.
const clockSkewMs = 60_000;

const defaultSessionMs = 60 * 60_000;

const by = { kind: "host", ref: null } as const;

/** A conversation's row, or the one it begins with. */
function rowFor(conversationId: string, row: ConversationRow | undefined): ConversationRow {
  return (
    row ?? {
      id: conversationId,
      epoch: 0,
      customerRef: null,
      level: null,
      authenticatedAt: null,
      channel: null,
      address: null,
      locale: null,
      timeZone: null,
    }
  );
}

/** What a statement about a conversation makes of its row and of its open write. */
type Statement = {
  readonly row: ConversationRow;
  readonly commands: (open: Write) => Promise<readonly Command[]>;
  /** The customer it is about, who must not have been erased when it is recorded. */
  readonly customerRef?: string;
  /** An open proposal is to be shown in the chat that the conversation lives in from now on. */
  readonly showOpen?: true;
};

type Stated = { readonly row: ConversationRow; readonly steps: readonly Step[] };

/** What the host states, by one kernel. */
export function makeHostView(kernel: Kernel): HostView {
  /** The first command that the open write's rules allow, as a step. */
  function firstStep(open: Write, commands: readonly Command[]): Step | undefined {
    for (const command of commands) {
      const ruling = rule(open, command);
      if (ruling.kind === "events")
        return stepOf(kernel, open.id, open, ruling.events as readonly DraftEvent[]);
    }
    return undefined;
  }

  /** Records a statement on the conversation's own row, again when somebody else was faster. */
  async function state(
    conversationId: string,
    make: (row: ConversationRow, now: Instant) => Statement | Promise<Statement>,
  ): Promise<Stated> {
    for (let round = 0; round < maxRounds; round += 1) {
      const { conversation, openWriteId } = await kernel.store.readConversation(conversationId);
      const before = rowFor(conversationId, conversation);
      const { row, commands, customerRef, showOpen } = await make(before, kernel.clock.now());
      const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
      const step = open && firstStep(open, await commands(open));
      const steps = step ? [step] : [];
      if (row === before && steps.length === 0) return { row, steps };
      const result = await appendSteps(kernel, steps, {
        guards: [
          {
            conversationId,
            epoch: before.epoch,
            row: conversation ?? null,
            ...(customerRef !== undefined && { customerRef }),
          },
        ],
        conversations: [row],
        deliveries:
          showOpen && open?.state === "proposed" ? [chatDelivery(kernel, open.id, open.seq, "prompt")] : [],
      });
      if (result.kind !== "appended") continue;
      if (row.epoch === before.epoch) return { row, steps };
      return { row, steps: [...steps, ...(await catchUp(row, commands))] };
    }
    throw new IntegrityError(`conversation ${conversationId}: gave up after ${maxRounds} lost races`);
  }

  /**
   * Does the same with a write that was proposed to the former customer after the conversation was looked at and before
   * its new epoch was recorded. None can come later: a proposal's own append holds the epoch.
   */
  async function catchUp(row: ConversationRow, commands: Statement["commands"]): Promise<readonly Step[]> {
    const guards = [{ conversationId: row.id, epoch: row.epoch }];
    for (let round = 0; round < maxRounds; round += 1) {
      const { openWriteId } = await kernel.store.readConversation(row.id);
      const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
      if (open?.principal.kind !== "customer" || open.principal.epoch >= row.epoch) return [];
      const step = firstStep(open, await commands(open));
      if (!step) return [];
      const result = await appendSteps(kernel, [step], { guards });
      if (result.kind === "appended") return [step];
      // Whoever changed the customer once more sees this write too.
      if (result.on === "epoch") return [];
    }
    throw new IntegrityError(`conversation ${row.id}: gave up after ${maxRounds} lost races`);
  }

  /** What is over anyway ends as what it is, whoever comes next. */
  function overdue(at: Instant): Command[] {
    return [
      { type: "expire", at },
      { type: "endStepUp", at, salt: kernel.random.salt() },
    ];
  }

  function rebind(open: Write, principal: CustomerPrincipal, at: Instant): Command[] {
    const tool = writeToolOf(kernel, open.tool);
    if (!tool || tool.toolVersion !== open.toolVersion || !open.args || !open.card) {
      return [{ type: "supersede", at, by, reason: "tool_changed" }];
    }
    const { locale, timeZone } = open.card;
    return [
      {
        type: "rebind",
        at,
        by,
        // What was seen for nobody in particular stands until the confirm, which looks again for this customer.
        content: makeContent(kernel, tool, {
          principal,
          args: open.args,
          plan: open.plan,
          locale,
          timeZone,
        }),
      },
    ];
  }

  /** What a write that waits for a sign-in goes on with, once one is good enough: looked at again, since time has passed. */
  async function resume(open: Write, row: ConversationRow): Promise<Command[]> {
    const { level, authenticatedAt } = row;
    if (open.state !== "awaiting_verification" || level === null || authenticatedAt === null) return [];
    if (!meetsStepUp(open.stepUp, { level, authenticatedAt }, kernel.clock.now())) return [];
    const tool = writeToolOf(kernel, open.tool);
    const { args, card, conversationId, principal } = open;
    if (!tool || tool.toolVersion !== open.toolVersion || !args || !card) {
      return [{ type: "supersede", at: kernel.clock.now(), by, reason: "tool_changed" }];
    }
    const validSeconds = lifetimeOf(tool, open.surface);
    const previewed = await previewWrite(kernel, tool, { args, conversationId, principal, validSeconds });
    const at = kernel.clock.now();
    if (previewed.kind === "step_up") return [];
    const checked = recheck(kernel, tool, open, previewed);
    if (checked.kind === "lead") return [{ type: "verify", at, by, level, lead: checked.lead }];
    // Nobody could look, or it looks different: either way the customer is the one to say what next.
    const reason = checked.kind === "drifted" ? "changed" : "not_previewed";
    const plan = checked.kind === "drifted" ? checked.plan : open.plan;
    const { locale, timeZone } = card;
    const content = makeContent(kernel, tool, { principal, args, plan, locale, timeZone });
    return [{ type: "drift", at, content, reason, verified: { by, level } }];
  }

  function idsIn(steps: readonly Step[], state: Write["state"]): string[] {
    return steps.filter(({ write }) => write.state === state).map(({ write }) => write.id);
  }

  return {
    async customerVerified({ conversationId, customerId, level, authenticatedAt }) {
      const issues: Issue[] = [];
      if (!Number.isSafeInteger(authenticatedAt))
        issues.push({ pointer: "/authenticatedAt", message: "is not a time" });
      else if (authenticatedAt > kernel.clock.now() + clockSkewMs) {
        issues.push({ pointer: "/authenticatedAt", message: "is more than 60 seconds in the future" });
      }
      if (customerId === "") issues.push({ pointer: "/customerId", message: "must not be empty" });
      if (issues.length > 0) return { refused: "invalid_verification", issues };
      const { row, steps } = await state(conversationId, async (before, at) => {
        // Anew in every round: who was erased meanwhile is another customer from then on.
        const customerRef = await kernel.store.customerRefOf(customerId, kernel.random.id("cu_"));
        const verified = { customerRef, level, authenticatedAt };
        if (before.customerRef === customerRef) {
          const after = { ...before, ...verified };
          return { row: after, customerRef, commands: (open) => resume(open, after) };
        }
        const after = { ...before, ...verified, epoch: before.epoch + 1 };
        const principal: CustomerPrincipal = {
          kind: "customer",
          conversationId,
          epoch: after.epoch,
          customerRef,
        };
        return {
          row: after,
          customerRef,
          commands: async (open) => [
            ...overdue(at),
            ...(before.customerRef === null
              ? rebind(open, principal, at)
              : [{ type: "supersede", at, by, reason: "customer_changed" } as const]),
          ],
        };
      });
      const resumed = idsIn(steps, "running");
      for (const { write } of steps) {
        if (write.state !== "running") continue;
        kernel.runner.start(write as WriteIn<"running">).catch(() => {});
      }
      return {
        epoch: row.epoch,
        superseded: idsIn(steps, "superseded"),
        rebound: idsIn(steps, "proposed"),
        resumed,
      };
    },

    async customerSignedOut(conversationId) {
      const { row, steps } = await state(conversationId, (before, at) => {
        if (before.customerRef === null) return { row: before, commands: async () => [] };
        const after = {
          ...before,
          epoch: before.epoch + 1,
          customerRef: null,
          level: null,
          authenticatedAt: null,
        };
        return {
          row: after,
          commands: async () => [...overdue(at), { type: "supersede", at, by, reason: "signed_out" }],
        };
      });
      return { epoch: row.epoch, superseded: idsIn(steps, "superseded") };
    },

    async startSession({ conversationId, locale, timeZone, lifetimeMs = defaultSessionMs }) {
      const { row } = await state(conversationId, (before) => {
        const same =
          (locale ?? before.locale) === before.locale && (timeZone ?? before.timeZone) === before.timeZone;
        const after = { ...before, locale: locale ?? before.locale, timeZone: timeZone ?? before.timeZone };
        return { row: same ? before : after, commands: async () => [] };
      });
      return { conversationId, epoch: row.epoch, expiresAt: kernel.clock.now() + lifetimeMs };
    },

    async readConversation(conversationId) {
      const { conversation, openWriteId } = await kernel.store.readConversation(conversationId);
      const { customerRef, level, epoch } = rowFor(conversationId, conversation);
      return { customer: { verified: customerRef !== null, level, epoch }, openWriteId };
    },

    async setContact({ conversationId, channel, address, locale, timeZone }) {
      if (!kernel.channels.has(channel)) return { refused: "unknown_channel" };
      const { row } = await state(conversationId, async (before, at) => {
        const place = { locale: locale ?? before.locale, timeZone: timeZone ?? before.timeZone };
        if (before.channel === channel && before.address === address) {
          const same = place.locale === before.locale && place.timeZone === before.timeZone;
          return { row: same ? before : { ...before, ...place }, commands: async () => [] };
        }
        const other = await kernel.store.findConversationByAddress(channel, address);
        if (other) await leaveChat(kernel, channel, address);
        const there = { ...before, ...place, channel, address };
        // A first chat is one more place to reach the same customer; another chat is another customer until the host says who.
        if (before.channel === null) return { row: there, commands: async () => [], showOpen: true };
        const { epoch } = before;
        const nobody = { epoch: epoch + 1, customerRef: null, level: null, authenticatedAt: null };
        return {
          row: { ...there, ...nobody },
          commands: async () => [...overdue(at), { type: "supersede", at, by, reason: "customer_changed" }],
        };
      });
      return { epoch: row.epoch };
    },
  };
}
