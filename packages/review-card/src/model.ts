import type { Card, CardField } from "@countersign/core/card";
import type { CardAnswer, VersionRequest } from "./model/answer.ts";
import { createClocks } from "./model/clocks.ts";
import { type Inner, idle, type Task, unread, viewOf } from "./model/inner.ts";
import type { CardInputs, ReviewCardOptions } from "./model/inputs.ts";
import { loadEditing, loaded } from "./model/load-editing.ts";
import { askFor, createLook } from "./model/look.ts";
import { isOlder } from "./model/newer.ts";
import { eventOf, isByPerson, type Press } from "./model/press.ts";
import { afterDoubt, afterRefusal, endOf } from "./model/settle.ts";
import { pageTimers } from "./model/timers.ts";
import { type CardView, type Doubt, isOpen } from "./model/view.ts";
import type { Presence } from "./model/waits.ts";

export type { CardInputs, ReviewCardOptions };

/** The card without a framework: card, server answers, presses and time in; one view out. */
export type ReviewCardModel = {
  view(): CardView;
  /** Told after every change; the returned function ends it. */
  subscribe(listener: () => void): () => void;
  /** Starts the clocks. The returned function stops them; a model may be connected again. */
  connect(): () => void;
  sync(inputs: CardInputs): void;
  /** Whether the customer can see the buttons. Nothing arms before; `watchButtons` tells it. */
  setPresence(presence: Presence): void;
  /** Asks the server again before anything may be pressed: after the page was restored, or slept. */
  recheck(): void;
  /** Does nothing unless the button is live, waits for nothing, and a person pressed it. */
  confirm(press: Press): void;
  /** Does nothing unless the button is live and a person pressed it. */
  decline(press: Press): void;
  extend(): void;
  undo(): void;
  /** Takes note that the whole of a long text is shown. */
  open(text: string): void;
  /** What stands in the input that a write of high risk asks to be filled. */
  type(word: string): void;
  /** Opens the inputs, at the field of this argument. */
  edit(argument: string): void;
  enter(argument: string, entry: string): void;
  save(): void;
  discard(): void;
};

/** Makes the model of one card. Nothing runs and nothing arms until it is connected. */
export function createReviewCardModel(options: ReviewCardOptions): ReviewCardModel {
  const timers = options.timers ?? pageTimers;
  const listeners = new Set<() => void>();
  let inputs: CardInputs = options;
  let inner: Inner = {
    ...unread,
    card: undefined,
    presence: "away",
    online: options.online ?? true,
    fresh: options.fresh ?? true,
    ended: options.ended ?? null,
    elsewhere: options.deciding ?? null,
    armed: null,
  };
  // What the server last said of the time, and how far its clock is from ours. The device's own is never asked.
  let told = Number.NaN;
  let offset = Number.NaN;
  let connected = false;
  let ticket = 0;
  let ranOutAt = "";

  const trusts = options.trusts ?? isByPerson;
  const look = createLook(timers, heardLook, () => publish());
  const clocks = createClocks(
    timers,
    options.armDelayMs ?? 500,
    (armed) => change({ armed }),
    () => publish(),
  );

  function set(part: Partial<Inner>): void {
    inner = { ...inner, ...part };
  }

  function change(part: Partial<Inner>): void {
    set(part);
    publish();
  }

  function take(next: Card | null | undefined, serverTime: string | undefined): void {
    const { card: before, task } = inner;
    const said = Date.parse(serverTime ?? "");
    if (next === undefined || isOlder(next, said, before, told)) return;
    if (!Number.isNaN(said) && said !== told) {
      told = said;
      offset = said - timers.now();
    }
    set({ card: next });
    if (!before) return;
    if (next?.writeId !== before.writeId) {
      ticket += 1; // an answer for the former write has nothing to say about this one
      set(unread);
    } else if (next.version !== before.version) {
      set({ note: { type: "changed" }, typed: "" });
      if (task.type === "editing" && loaded.editing) {
        set({ task: { ...task, entries: loaded.editing.rebase(before, next, task.entries) } });
      }
    } else if (next.state !== before.state && inner.note?.type === "refused") {
      set({ note: null }); // it spoke of a state that is over
    }
  }

  function publish(): void {
    const now = timers.now() + offset;
    const stays = clocks.follow(
      viewOf(inner, now),
      now,
      connected && inner.presence === "visible",
      connected,
    );
    if (!stays) set({ armed: null });
    const next = viewOf(inner, now);
    const changed = JSON.stringify(next) !== JSON.stringify(current);
    if (changed) current = next;
    if (connected && inputs.onRefetch && mustLook()) look.start(inputs.onRefetch);
    // What cannot be loaded now is asked for again when somebody wants to edit.
    if (connected && proposed()?.fields.some(isEditable)) loadEditing().catch(() => {});
    if (changed) for (const listener of [...listeners]) listener();
  }

  function mustLook(): boolean {
    if (inner.ended || !inner.online) return false;
    if (inner.task.type === "checking" || (!inner.fresh && (inputs.fresh ?? true))) return true;
    if (current.state !== "expired" || current.told || ranOutAt === current.card.expiresAt) return false;
    ranOutAt = current.card.expiresAt;
    return true;
  }

  /** Whether this answer is the end of the session. */
  function ends(answer: CardAnswer): boolean {
    const ended = answer.type === "refusal" ? endOf(answer) : null;
    if (ended) change({ ended, task: idle });
    return ended !== null;
  }

  function heardLook(answer: CardAnswer): boolean {
    if (answer.type !== "ok") return ends(answer);
    take(answer.card, answer.serverTime);
    set({ ...afterDoubt(inner), fresh: inputs.fresh ?? true });
    queueMicrotask(publish); // after the look is over, so that the next one may start
    return true;
  }

  /** Sends one command. A second press meets a task that is no longer idle, so each write gets one request. */
  function send<Request>(
    task: Task,
    doubt: Doubt,
    command: ((request: Request) => Promise<CardAnswer>) | undefined,
    request: Request,
  ): void {
    if (!command) return;
    const mine = ++ticket;
    change({ task, note: null });
    askFor(
      () => command(request),
      (answer) => {
        if (ends(answer)) return;
        if (answer.type !== "unreachable") take(answer.card, answer.serverTime);
        if (mine !== ticket) publish();
        else if (answer.type === "unreachable") {
          change({ task: { type: "checking", after: doubt, form: task.type === "saving" ? task : null } });
        } else if (answer.type === "refusal") change(afterRefusal(answer, task, inner.card));
        else {
          const lookAgain = answer.consequencesChanged ?? true;
          change({ task: idle, note: doubt === "edit" ? { type: "saved", lookAgain } : null });
        }
      },
    );
  }

  const isEditable = ({ editable }: CardField): boolean => editable && inputs.onEdit !== undefined;
  const proposed = (): Card | null => (current.state === "proposed" ? current.card : null);
  const versionOf = ({ writeId, version }: Card): VersionRequest => ({ writeId, version });
  const isPress = (press: Press): boolean => isOpen(current) && current.armed && trusts(eventOf(press));

  function edit(opened: string): void {
    const card = inner.task === idle && proposed();
    if (!card || !inputs.onEdit) return;
    const { editing } = loaded;
    if (editing) {
      const task: Task = {
        type: "editing",
        attempt: 0,
        entries: editing.entriesOf(card),
        faults: {},
        opened,
      };
      change({ task, note: null });
    } else {
      loadEditing().then(
        () => edit(opened),
        () => change({ note: { type: "refused", code: "edit_unavailable" } }),
      );
    }
  }

  take(options.card, options.serverTime);
  let current = viewOf(inner, timers.now() + offset);

  return {
    view: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    connect() {
      connected = true;
      publish();
      return () => {
        connected = false;
        look.stop();
        publish();
      };
    },
    sync(next) {
      const heard = next.card !== inputs.card || next.serverTime !== inputs.serverTime;
      const online = next.online ?? true;
      const back = !inner.online && online && next.onRefetch;
      if (next.card === undefined && inputs.card !== undefined) {
        // Loading again is another session, perhaps another customer's: nothing of the former may stay or be compared.
        ticket += 1;
        look.stop();
        set({ ...unread, card: undefined });
      }
      if (next.ended !== inputs.ended) set({ ended: next.ended ?? null });
      inputs = next;
      if (heard) take(next.card, next.serverTime);
      const fresh = (next.fresh ?? true) && !back && (inner.fresh || heard);
      set({ online, fresh, elsewhere: next.deciding ?? null });
      // Without a way to ask, what the host hears next is the answer.
      if (heard && !next.onRefetch) set(afterDoubt(inner));
      publish();
    },
    setPresence(presence) {
      change({ presence });
    },
    recheck() {
      if (inputs.onRefetch) change({ fresh: false });
    },
    confirm(press) {
      const card = isPress(press) && isOpen(current) && !current.waits && proposed();
      const task: Task = { type: "sending", decision: "confirm" };
      if (card) send(task, "confirm", inputs.onConfirm, { ...versionOf(card), digest: card.digest });
    },
    decline(press) {
      const card = isPress(press) && inner.card;
      const task: Task = { type: "sending", decision: "decline" };
      if (card) send(task, "decline", inputs.onDecline, versionOf(card));
    },
    extend() {
      const card = inner.task === idle && proposed();
      if (card) send({ type: "extending" }, "extend", inputs.onExtend, versionOf(card));
    },
    undo() {
      if (current.state !== "applied" || current.undoing) return;
      send({ type: "undoing" }, "undo", inputs.onUndo, { writeId: current.card.writeId });
    },
    open(text) {
      if (!inner.opened.includes(text)) change({ opened: [...inner.opened, text] });
    },
    type(typed) {
      if (proposed()) change({ typed });
    },
    edit,
    enter(argument, entry) {
      const { task } = inner;
      if (task.type !== "editing") return;
      const { [argument]: _, ...faults } = task.faults;
      change({ task: { ...task, faults, entries: { ...task.entries, [argument]: entry } } });
    },
    save() {
      const { task } = inner;
      if (current.state !== "editing" || task.type !== "editing" || !loaded.editing) return;
      const { card } = current;
      const { values, faults } = loaded.editing.checkEntries(card, task.entries);
      if (Object.keys(faults).length > 0) change({ task: { ...task, faults, attempt: task.attempt + 1 } });
      else if (Object.keys(values).length === 0) change({ task: idle });
      else {
        // What the customer wrote they need not open to have read.
        set({ opened: [...inner.opened, ...Object.values(task.entries)] });
        send({ ...task, type: "saving" }, "edit", inputs.onEdit, { ...versionOf(card), values });
      }
    },
    discard() {
      if (inner.task.type === "editing") change({ task: idle });
    },
  };
}
