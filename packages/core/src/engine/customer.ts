import { canonical } from "../base/canonical.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { getAt, setAt } from "../base/pointer.ts";
import type { Issue } from "../base/schema.ts";
import type { Card, FrozenCard } from "../card/model.ts";
import type { By } from "../flow/events.ts";
import { belongsTo, type Presence } from "../flow/principal.ts";
import type { Refusal, SessionEnd } from "../flow/refusal.ts";
import { ruleOnReview } from "../flow/review.ts";
import type { Write } from "../flow/write.ts";
import type { ConversationRow } from "../ports/store.ts";
import type { WriteTool } from "../tool/define.ts";
import { askInChat } from "./chats/ask-in-chat.ts";
import { confirmWrite, declineWrite, isTold } from "./decide.ts";
import type { CardPage, CardSession, CustomerView } from "./engine.ts";
import { handle, load } from "./handle.ts";
import { type Kernel, writeToolOf } from "./kernel.ts";
import { parseArguments } from "./parse-arguments.ts";
import { presenceOf } from "./presence.ts";
import { previewWrite, refusalOf } from "./preview.ts";
import { makeContent } from "./propose.ts";
import { undoWrite } from "./undo.ts";
import { receiptOf, toCard } from "./view.ts";

/** Why a session no longer counts for a conversation as it stands; undefined while it does. */
export function sessionEndOf(
  session: CardSession,
  conversation: ConversationRow | undefined,
  now: number,
): SessionEnd | undefined {
  const { epoch, customerRef } = presenceOf(conversation);
  if (session.epoch !== epoch) return customerRef === null ? "signed_out" : "customer_changed";
  return now >= session.expiresAt ? "expired" : undefined;
}

// How many older receipts a customer's page shows at the most.
const mostOthers = 20;

/** What a customer's edit of `edited` may not change without a new look: of the arguments, shown or not, and of the card. */
function consequences(args: JsonObject, card: FrozenCard, edited: ReadonlySet<string>): string {
  const { fields, ...rest } = card;
  const kept = [...edited].reduce((left, pointer) => setAt(left, pointer, undefined), args);
  return canonical({ ...rest, args: kept, fields: fields.filter((field) => !edited.has(field.argument)) });
}

const nothingToDo = "With these values there is nothing to do.";

const unknownField = 'is no field of this card; name a field by its "argument", such as "/reason"';

/** Applies submitted values to the arguments, or says which may not be changed. */
function applyValues(
  tool: WriteTool,
  args: JsonObject,
  values: { readonly [pointer: string]: Json },
): { readonly args: JsonObject } | Refusal {
  const issues: Issue[] = [];
  let next = args;
  for (const [pointer, value] of Object.entries(values)) {
    const field = tool.presentation.fields.find(({ argument }) => argument === pointer);
    if (!field) issues.push({ pointer, message: unknownField });
    else if (!field.editable) issues.push({ pointer, message: "cannot be changed by the customer" });
    else next = setAt(next, pointer, value === null ? undefined : value);
  }
  return issues.length > 0 ? { refused: "edit_not_allowed", issues } : { args: next };
}

/** What a customer may do, by one kernel. */
export function makeCustomerView(kernel: Kernel): CustomerView {
  /** The conversation of a session that still counts, or why it does not. */
  async function enter(
    session: CardSession,
  ): Promise<{ readonly presence: Presence; readonly openWriteId: string | null } | Refusal> {
    const { conversation, openWriteId } = await kernel.store.readConversation(session.conversationId);
    const reason = sessionEndOf(session, conversation, kernel.clock.now());
    return reason
      ? { refused: "session_ended", reason }
      : { presence: presenceOf(conversation), openWriteId };
  }

  /** Refuses a write of another conversation or another customer as if there were none. */
  function admitter(session: CardSession, presence: Presence): (write: Write) => Refusal | undefined {
    return (write) =>
      // Whose card was let go of has nothing left to show or to decide.
      write.card && write.conversationId === session.conversationId && belongsTo(write.principal, presence)
        ? undefined
        : { refused: "not_found" };
  }

  /** Completes a refusal with the truth: the card as it now stands, or why the session really ended. */
  async function told(refusal: Refusal, session: CardSession, writeId: string): Promise<Refusal> {
    if (refusal.refused === "session_ended") {
      // The append lost to a change of customer; only the conversation as it now stands says to which.
      const entered = await enter(session);
      return "refused" in entered ? entered : refusal;
    }
    if (!isTold(refusal)) return refusal;
    const write = await load(kernel, writeId);
    return write ? ({ ...refusal, card: toCard(kernel, write) } as Refusal) : refusal;
  }

  async function answer(
    outcome: Write | Refusal,
    session: CardSession,
    writeId: string,
  ): Promise<{ readonly card: Card } | Refusal> {
    return "refused" in outcome ? told(outcome, session, writeId) : { card: toCard(kernel, outcome) };
  }

  function customerBy(presence: Presence): By {
    return { kind: "customer", ref: presence.customerRef };
  }

  return {
    async card(session) {
      const entered = await enter(session);
      if ("refused" in entered) return entered;
      const { customerRef, epoch } = entered.presence;
      const owner = customerRef === null ? { epoch } : { customerRef };
      const { conversationId } = session;
      const own = async (id: string): Promise<Write | undefined> => {
        const write = await load(kernel, id);
        return write && belongsTo(write.principal, entered.presence) && write.card ? write : undefined;
      };
      const latest = await kernel.store.listWrites({ conversationId, owner, limit: 1 });
      const [newest] = latest.rows;
      // Nothing is proposed while a write is open: an open one is the newest, also of several in one millisecond.
      const open = entered.openWriteId === null ? undefined : await own(entered.openWriteId);
      const shown = open ?? (newest && (await own(newest.id)));
      if (!newest) return { card: null, others: [] };
      const stillTold = { conversationId, since: newest.createdAt };
      const { rows } = await kernel.store.listWrites({ stillTold, owner, limit: mostOthers });
      const others: CardPage["others"][number][] = [];
      for (const { id } of rows) {
        const write = id === shown?.id ? undefined : await own(id);
        const receipt = write && receiptOf(kernel, write);
        if (receipt) others.push({ writeId: id, receipt });
      }
      return { card: shown ? toCard(kernel, shown) : null, others };
    },

    async edit({ session, writeId, version, values }) {
      const entered = await enter(session);
      if ("refused" in entered) return entered;
      const admit = admitter(session, entered.presence);
      let consequencesChanged = true;
      const edited = new Set(Object.keys(values));
      const handled = await handle(
        kernel,
        writeId,
        async (write) => {
          const refused = admit(write);
          if (refused) return refused;
          const at = kernel.clock.now();
          const closed = ruleOnReview(write, { at, version });
          if (closed?.kind === "refusal") return closed.refusal;
          const tool = writeToolOf(kernel, write.tool);
          const { args, card } = write;
          if (!tool || tool.toolVersion !== write.toolVersion || !args || !card) {
            return { type: "supersede", at, by: { kind: "system", ref: null }, reason: "tool_changed" };
          }
          const changed = applyValues(tool, args, values);
          if ("refused" in changed) return changed;
          const parsed = await parseArguments(kernel, tool, changed.args);
          if ("refused" in parsed) return parsed;
          const { locale, timeZone } = card;
          const previewed = await previewWrite(kernel, tool, {
            args: parsed.args,
            conversationId: write.conversationId,
            principal: write.principal,
            validSeconds: Math.max(0, (write.expiresAt - at) / 1000),
          });
          const unseen = refusalOf(previewed, { refused: "preview_unavailable" });
          if (unseen) return unseen;
          if (previewed.kind !== "plan") return { refused: "preview_failed", message: nothingToDo };
          const content = makeContent(kernel, tool, {
            principal: write.principal,
            args: parsed.args,
            argsText: parsed.text,
            plan: previewed.plan,
            locale,
            timeZone,
          });
          const kept = Object.entries(values).every(
            ([pointer, value]) => canonical(getAt(parsed.args, pointer) ?? null) === canonical(value),
          );
          consequencesChanged =
            !kept ||
            consequences(args, card, edited) !== consequences(parsed.args, content.plain.card.value, edited);
          return {
            type: "edit",
            at: kernel.clock.now(),
            by: customerBy(entered.presence),
            version,
            content,
            changed: [...edited].sort(),
          };
        },
        { epoch: session.epoch },
      );
      if ("refused" in handled) return told(handled, session, writeId);
      if (handled.write.state === "superseded") return told({ refused: "superseded" }, session, writeId);
      return { card: toCard(kernel, handled.write), consequencesChanged };
    },

    async confirm({ session, writeId, version, digest, waitMs }) {
      const entered = await enter(session);
      if ("refused" in entered) return entered;
      const admit = admitter(session, entered.presence);
      if (session.mayConfirm === false) return askInChat(kernel, writeId, admit);
      const outcome = await confirmWrite(kernel, {
        writeId,
        version,
        digest,
        waitMs,
        surface: "web",
        epoch: session.epoch,
        by: customerBy(entered.presence),
        admit,
      });
      return answer(outcome, session, writeId);
    },

    async decline({ session, writeId }) {
      const entered = await enter(session);
      if ("refused" in entered) return entered;
      const outcome = await declineWrite(kernel, {
        writeId,
        surface: "web",
        epoch: session.epoch,
        by: customerBy(entered.presence),
        admit: admitter(session, entered.presence),
      });
      return answer(outcome, session, writeId);
    },

    async undo({ session, writeId }) {
      const entered = await enter(session);
      if ("refused" in entered) return entered;
      const admit = admitter(session, entered.presence);
      const undone = await undoWrite(kernel, { writeId, session, by: customerBy(entered.presence), admit });
      return answer(undone, session, writeId);
    },

    async extend({ session, writeId, version }) {
      const entered = await enter(session);
      if ("refused" in entered) return entered;
      const admit = admitter(session, entered.presence);
      const handled = await handle(
        kernel,
        writeId,
        (write) =>
          admit(write) ?? {
            type: "extend",
            at: kernel.clock.now(),
            by: customerBy(entered.presence),
            version,
            extend: writeToolOf(kernel, write.tool)?.extend,
          },
        { epoch: session.epoch },
      );
      return answer("refused" in handled ? handled : handled.write, session, writeId);
    },
  };
}
