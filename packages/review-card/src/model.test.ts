import type { Card } from "@countersign/core/card";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime, refund } from "./example-cards.ts";
import { type ManualTimers, manualTimers } from "./manual-timers.ts";
import type { CardAnswer } from "./model/answer.ts";
import { loadEditing } from "./model/load-editing.ts";
import { type CardInputs, createReviewCardModel, type ReviewCardModel } from "./model.ts";

type Asked = { readonly answer: (answer: CardAnswer) => Promise<void>; readonly fail: () => Promise<void> };

/** A command that is answered by hand. */
function command(): { ask: (request?: unknown) => Promise<CardAnswer>; asked: Asked[]; requests: unknown[] } {
  const asked: Asked[] = [];
  const requests: unknown[] = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return {
    asked,
    requests,
    ask(request) {
      requests.push(request);
      return new Promise((resolve, reject) => {
        asked.push({
          answer: (answer) => {
            resolve(answer);
            return settle();
          },
          fail: () => {
            reject(new Error("network"));
            return settle();
          },
        });
      });
    },
  };
}

const press = new Event("click");

beforeAll(loadEditing);

function put(inputs: CardInputs, timers: ManualTimers = manualTimers()): ReviewCardModel {
  const model = createReviewCardModel({
    serverTime: exampleTime,
    timers,
    trusts: () => true,
    ...inputs,
  });
  model.connect();
  model.setPresence("visible");
  return model;
}

function armed(inputs: CardInputs): { model: ReviewCardModel; timers: ManualTimers } {
  const timers = manualTimers();
  const model = put(inputs, timers);
  timers.advance(500);
  return { model, timers };
}

const ok = (card: Card, serverTime: string = exampleTime): CardAnswer => ({ type: "ok", card, serverTime });

describe("arming", () => {
  it("CARD-22 makes the buttons live only after the card has been in view for half a second", () => {
    const timers = manualTimers();
    const confirm = command();
    const model = put({ card: cancelOrder(), onConfirm: confirm.ask }, timers);
    timers.advance(499);
    model.confirm(press);
    expect(model.view()).toMatchObject({ state: "proposed", armed: false });
    expect(confirm.requests).toEqual([]);
    timers.advance(1);
    expect(model.view()).toMatchObject({ state: "proposed", armed: true });
    model.confirm(press);
    expect(confirm.requests).toHaveLength(1);
  });

  it("CARD-22 starts again when the buttons were out of view", () => {
    const { model, timers } = armed({ card: cancelOrder() });
    model.setPresence("away");
    model.setPresence("visible");
    timers.advance(499);
    expect(model.view()).toMatchObject({ armed: false });
    timers.advance(1);
    expect(model.view()).toMatchObject({ armed: true });
  });

  it("CARD-22 starts again for a new version, and says that something changed", () => {
    const { model, timers } = armed({ card: cancelOrder() });
    model.sync({ card: cancelOrder({ version: 2, seq: 2 }), serverTime: exampleTime });
    expect(model.view()).toMatchObject({ state: "proposed", armed: false, note: { type: "changed" } });
    timers.advance(500);
    expect(model.view()).toMatchObject({ armed: true });
  });

  it("CARD-22 starts again when a notice moves the buttons", async () => {
    const extend = command();
    const { model, timers } = armed({ card: cancelOrder(), onExtend: extend.ask });
    model.extend();
    await extend.asked[0]?.answer({ type: "refusal", code: "not_extendable" });
    expect(model.view()).toMatchObject({ armed: false, note: { type: "refused", code: "not_extendable" } });
    timers.advance(500);
    expect(model.view()).toMatchObject({ armed: true });
  });

  it("CARD-22 stays live through a newer snapshot of the same version", () => {
    const { model } = armed({ card: cancelOrder() });
    model.sync({
      card: cancelOrder({ seq: 2, expiresAt: "2026-11-30T21:56:00.000Z" }),
      serverTime: exampleTime,
    });
    expect(model.view()).toMatchObject({ armed: true, note: null });
  });
});

describe("deciding", () => {
  it("CARD-23 sends version and digest, and nothing else, once, however often it is pressed", () => {
    const confirm = command();
    const decline = command();
    const { model } = armed({ card: cancelOrder(), onConfirm: confirm.ask, onDecline: decline.ask });
    model.confirm(press);
    expect(model.view()).toMatchObject({ state: "sending", decision: "confirm" });
    model.confirm(press);
    model.decline(press);
    expect(confirm.requests).toEqual([{ writeId: "wr_7Q4M2KXD", version: 1, digest: "d".repeat(64) }]);
    expect(decline.requests).toEqual([]);
  });

  it("CARD-25 shows the outcome that the answer brings", async () => {
    const confirm = command();
    const { model } = armed({ card: cancelOrder(), onConfirm: confirm.ask });
    model.confirm(press);
    await confirm.asked[0]?.answer(ok(cancelOrder({ state: "applied", seq: 4 })));
    expect(model.view()).toMatchObject({ state: "applied", note: null });
  });

  it("CARD-23 declines in one step", async () => {
    const decline = command();
    const { model } = armed({ card: cancelOrder(), onDecline: decline.ask });
    model.decline(press);
    expect(decline.requests).toEqual([{ writeId: "wr_7Q4M2KXD", version: 1 }]);
    await decline.asked[0]?.answer(ok(cancelOrder({ state: "declined", seq: 2 })));
    expect(model.view()).toMatchObject({ state: "declined" });
  });

  it.each(["stale_version", "drifted"])(
    "CARD-25 answers %s with the new card, and has the customer look again",
    async (code) => {
      const confirm = command();
      const { model, timers } = armed({ card: cancelOrder(), onConfirm: confirm.ask });
      model.confirm(press);
      await confirm.asked[0]?.answer({ type: "refusal", code, card: cancelOrder({ version: 2, seq: 3 }) });
      expect(model.view()).toMatchObject({ state: "proposed", armed: false, note: { type: "changed" } });
      expect(model.view()).toMatchObject({ card: { version: 2 } });
      timers.advance(500);
      model.confirm(press);
      expect(confirm.requests[1]).toMatchObject({ version: 2 });
    },
  );

  it("CARD-25 shows how it stands when someone else had decided", async () => {
    const confirm = command();
    const { model } = armed({ card: cancelOrder(), onConfirm: confirm.ask });
    model.confirm(press);
    await confirm.asked[0]?.answer({
      type: "refusal",
      code: "already_decided",
      card: cancelOrder({ state: "declined", seq: 2 }),
    });
    expect(model.view()).toMatchObject({ state: "declined", note: { type: "decided" } });
  });

  it("CARD-25 keeps the card open when the current details could not be read", async () => {
    const confirm = command();
    const { model, timers } = armed({ card: cancelOrder(), onConfirm: confirm.ask });
    model.confirm(press);
    await confirm.asked[0]?.answer({ type: "refusal", code: "preview_unavailable" });
    expect(model.view()).toMatchObject({
      state: "proposed",
      armed: false,
      note: { type: "refused", code: "preview_unavailable" },
    });
    timers.advance(500);
    expect(model.view()).toMatchObject({ armed: true });
  });

  it("CARD-25 takes back what a refusal said once the write stands otherwise", async () => {
    const confirm = command();
    const inputs = { card: cancelOrder(), onConfirm: confirm.ask };
    const { model } = armed(inputs);
    model.confirm(press);
    await confirm.asked[0]?.answer({ type: "refusal", code: "surface_unsupported" });
    expect(model.view()).toMatchObject({ note: { type: "refused", code: "surface_unsupported" } });
    model.sync({ ...inputs, card: cancelOrder({ state: "applied", seq: 4 }), serverTime: exampleTime });
    expect(model.view()).toMatchObject({ state: "applied", note: null });
  });

  it.each(["customer_changed", "signed_out", "expired"] as const)(
    "CARD-39 ends with nothing live when the session %s",
    async (reason) => {
      const confirm = command();
      const { model, timers } = armed({ card: cancelOrder(), onConfirm: confirm.ask });
      model.confirm(press);
      await confirm.asked[0]?.answer({ type: "refusal", code: "session_ended", reason });
      timers.advance(10_000);
      expect(model.view()).toEqual({ state: "ended", reason });
    },
  );

  it("CARD-23 waits when another card of the same session is sending", () => {
    const confirm = command();
    const { model } = armed({ card: cancelOrder(), onConfirm: confirm.ask });
    model.sync({ card: cancelOrder(), onConfirm: confirm.ask, deciding: "confirm" });
    model.confirm(press);
    expect(model.view()).toMatchObject({ state: "sending", decision: "confirm" });
    expect(confirm.requests).toEqual([]);
  });
});

describe("a lost answer", () => {
  it("CARD-26 is not known to have been received: nothing is live until the server said how it stands", async () => {
    const confirm = command();
    const refetch = command();
    const { model, timers } = armed({ card: cancelOrder(), onConfirm: confirm.ask, onRefetch: refetch.ask });
    model.confirm(press);
    await confirm.asked[0]?.fail();
    expect(model.view()).toMatchObject({ state: "checking", after: "confirm" });
    timers.advance(5000);
    model.confirm(press);
    model.decline(press);
    expect(confirm.requests).toHaveLength(1);
    expect(refetch.requests).toHaveLength(1);
    await refetch.asked[0]?.answer(ok(cancelOrder({ state: "applied", seq: 4 })));
    expect(model.view()).toMatchObject({ state: "applied" });
  });

  it("CARD-26 is asked about again, more slowly, while no answer comes", async () => {
    const confirm = command();
    const refetch = command();
    const { model, timers } = armed({ card: cancelOrder(), onConfirm: confirm.ask, onRefetch: refetch.ask });
    model.confirm(press);
    await confirm.asked[0]?.fail();
    await refetch.asked[0]?.fail();
    timers.advance(999);
    expect(refetch.requests).toHaveLength(1);
    timers.advance(1);
    expect(refetch.requests).toHaveLength(2);
    await refetch.asked[1]?.answer({ type: "unreachable" });
    timers.advance(1999);
    expect(refetch.requests).toHaveLength(2);
    timers.advance(1);
    expect(refetch.requests).toHaveLength(3);
    expect(model.view()).toMatchObject({ state: "checking" });
  });

  it("CARD-26 may be given again once the server says that it never arrived", async () => {
    const confirm = command();
    const refetch = command();
    const { model, timers } = armed({ card: cancelOrder(), onConfirm: confirm.ask, onRefetch: refetch.ask });
    model.confirm(press);
    await confirm.asked[0]?.fail();
    await refetch.asked[0]?.answer(ok(cancelOrder()));
    expect(model.view()).toMatchObject({ state: "proposed", armed: false, note: { type: "not_received" } });
    timers.advance(500);
    expect(model.view()).toMatchObject({ armed: true });
  });

  it("CARD-26 stays in doubt offline, and is asked about when the connection is back", async () => {
    const confirm = command();
    const refetch = command();
    const inputs = { card: cancelOrder(), onConfirm: confirm.ask, onRefetch: refetch.ask };
    const { model } = armed(inputs);
    model.confirm(press);
    model.sync({ ...inputs, online: false });
    await confirm.asked[0]?.fail();
    expect(model.view()).toMatchObject({ state: "offline", after: "confirm" });
    expect(refetch.requests).toHaveLength(0);
    model.sync({ ...inputs, online: true });
    expect(model.view()).toMatchObject({ state: "checking", after: "confirm" });
    expect(refetch.requests).toHaveLength(1);
  });

  it("CARD-26 never makes an unknown outcome askable again", () => {
    const confirm = command();
    const { model, timers } = armed({ card: cancelOrder({ state: "unknown" }), onConfirm: confirm.ask });
    timers.advance(60_000);
    model.confirm(press);
    model.decline(press);
    expect(model.view()).toMatchObject({ state: "unknown" });
    expect(confirm.requests).toEqual([]);
  });
});

describe("what stands", () => {
  it("CARD-27 is the newer seq: an older snapshot never replaces a newer one", () => {
    const { model } = armed({ card: cancelOrder({ state: "applied", seq: 4 }) });
    model.sync({ card: cancelOrder(), serverTime: "2026-11-30T21:40:00.000Z" });
    expect(model.view()).toMatchObject({ state: "applied" });
  });

  it("CARD-27 is the newer write: an older one never replaces it", () => {
    const newer = refund({ createdAt: "2026-11-30T21:30:00.000Z" });
    const { model } = armed({ card: newer });
    model.sync({ card: cancelOrder({ seq: 99 }), serverTime: exampleTime });
    expect(model.view()).toMatchObject({ card: { writeId: newer.writeId } });
  });

  it("CARD-27 is nothing of a former session while the next one loads, though its write is an older one", () => {
    const { model } = armed({ card: refund({ createdAt: "2026-11-30T21:30:00.000Z" }) });
    model.sync({ card: undefined });
    expect(model.view()).toEqual({ state: "loading" });
    model.sync({ card: cancelOrder(), serverTime: exampleTime });
    expect(model.view()).toMatchObject({ state: "proposed", armed: false, card: { writeId: "wr_7Q4M2KXD" } });
  });

  it("CARD-28 is asked for before anything is live, after the connection was lost", async () => {
    const refetch = command();
    const inputs = { card: cancelOrder(), onRefetch: refetch.ask };
    const { model, timers } = armed(inputs);
    model.sync({ ...inputs, online: false });
    expect(model.view()).toMatchObject({ state: "offline", after: "look" });
    model.sync({ ...inputs, online: true });
    timers.advance(5000);
    expect(model.view()).toMatchObject({ state: "checking", after: "look" });
    await refetch.asked[0]?.answer(ok(cancelOrder({ state: "declined", seq: 2 })));
    expect(model.view()).toMatchObject({ state: "declined" });
  });

  it("CARD-28 is asked for again when the page comes back from the browser's memory", async () => {
    const refetch = command();
    const { model } = armed({ card: cancelOrder(), onRefetch: refetch.ask });
    model.recheck();
    expect(model.view()).toMatchObject({ state: "checking" });
    await refetch.asked[0]?.answer(ok(cancelOrder()));
    expect(model.view()).toMatchObject({ state: "proposed", armed: false, note: null });
  });

  it("CARD-28 is shown, not live, while it is only remembered", () => {
    const { model } = armed({ card: cancelOrder(), fresh: false });
    expect(model.view()).toMatchObject({ state: "checking", after: "look" });
    model.sync({ card: cancelOrder(), fresh: true, serverTime: exampleTime });
    expect(model.view()).toMatchObject({ state: "proposed", armed: false });
  });
});

describe("time", () => {
  it("CARD-29 is the server's: a device that is an hour off changes nothing", () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse(exampleTime) + 3_600_000);
    const timers = manualTimers(123_456);
    const model = put({ card: cancelOrder() }, timers);
    expect(model.view()).toMatchObject({ state: "proposed", timeLeft: { unit: "minute", count: 8 } });
    timers.advance(8 * 60_000 - 1);
    expect(model.view()).toMatchObject({
      state: "proposed",
      timeLeft: { count: 30, unit: "second", last: true },
    });
    timers.advance(1);
    expect(model.view()).toMatchObject({ state: "expired", told: false });
    vi.restoreAllMocks();
  });

  it("CARD-29 runs out by asking the server once, and shows its word", async () => {
    const refetch = command();
    const { model, timers } = armed({ card: cancelOrder(), onRefetch: refetch.ask });
    timers.advance(8 * 60_000);
    expect(model.view()).toMatchObject({ state: "expired", told: false });
    expect(refetch.requests).toHaveLength(1);
    await refetch.asked[0]?.answer(ok(cancelOrder({ state: "expired", seq: 2 })));
    expect(model.view()).toMatchObject({ state: "expired", told: true });
  });

  it("CARD-29 is told in few words as it runs out", () => {
    const { model, timers } = armed({ card: cancelOrder() });
    timers.advance(6 * 60_000);
    expect(model.view()).toMatchObject({ timeLeft: { count: 2, unit: "minute", last: true } });
    timers.advance(90_000);
    expect(model.view()).toMatchObject({ timeLeft: { count: 30, unit: "second", last: true } });
  });

  it("CARD-30 can be extended where the tool allows it", async () => {
    const extend = command();
    const { model, timers } = armed({ card: cancelOrder(), onExtend: extend.ask });
    model.extend();
    model.extend();
    expect(extend.requests).toEqual([{ writeId: "wr_7Q4M2KXD", version: 1 }]);
    expect(model.view()).toMatchObject({ state: "proposed", armed: false, extending: true });
    await extend.asked[0]?.answer(ok(cancelOrder({ seq: 2, expiresAt: "2026-11-30T21:56:00.000Z" })));
    timers.advance(500);
    expect(model.view()).toMatchObject({
      armed: true,
      extending: false,
      timeLeft: { unit: "minute", count: 23 },
    });
  });

  it("CARD-29 without the server's own never ends a card", () => {
    const timers = manualTimers();
    const model = createReviewCardModel({ card: cancelOrder(), timers });
    model.connect();
    timers.advance(3_600_000);
    expect(model.view()).toMatchObject({ state: "proposed", timeLeft: null });
  });
});

describe("editing", () => {
  it("CARD-31 saves what was changed as a new version, and has the customer look again when more changed with it", async () => {
    const edit = command();
    const { model, timers } = armed({ card: cancelOrder(), onEdit: edit.ask });
    model.edit("/reason");
    expect(model.view()).toMatchObject({
      state: "editing",
      entries: { "/reason": '"late"' },
      opened: "/reason",
    });
    model.enter("/reason", '"mind"');
    model.save();
    model.save();
    expect(edit.requests).toEqual([{ writeId: "wr_7Q4M2KXD", version: 1, values: { "/reason": "mind" } }]);
    expect(model.view()).toMatchObject({ state: "saving" });
    await edit.asked[0]?.answer({
      ...ok(cancelOrder({ version: 2, seq: 2 })),
      consequencesChanged: true,
    } as CardAnswer);
    expect(model.view()).toMatchObject({
      state: "proposed",
      armed: false,
      note: { type: "saved", lookAgain: true },
    });
    timers.advance(500);
    expect(model.view()).toMatchObject({ armed: true });
  });

  it("CARD-31 asks for one press only when nothing else changed", async () => {
    const edit = command();
    const confirm = command();
    const { model, timers } = armed({ card: cancelOrder(), onEdit: edit.ask, onConfirm: confirm.ask });
    model.edit("/reason");
    model.enter("/reason", '"mind"');
    model.save();
    await edit.asked[0]?.answer({
      ...ok(cancelOrder({ version: 2, seq: 2, digest: "e".repeat(64) })),
      consequencesChanged: false,
    } as CardAnswer);
    expect(model.view()).toMatchObject({ note: { type: "saved", lookAgain: false } });
    timers.advance(500);
    model.confirm(press);
    expect(confirm.requests).toEqual([{ writeId: "wr_7Q4M2KXD", version: 2, digest: "e".repeat(64) }]);
  });

  it("CARD-31 never confirms, and sends nothing when nothing was changed", () => {
    const edit = command();
    const confirm = command();
    const { model, timers } = armed({ card: cancelOrder(), onEdit: edit.ask, onConfirm: confirm.ask });
    model.edit("/reason");
    timers.advance(5000);
    model.confirm(press);
    model.save();
    expect(model.view()).toMatchObject({ state: "proposed" });
    expect([edit.requests, confirm.requests]).toEqual([[], []]);
  });

  it("CARD-32 keeps what was typed when the server will not take it", async () => {
    const edit = command();
    const { model } = armed({ card: refund(), onEdit: edit.ask });
    model.edit("/amount");
    model.enter("/amount", "12.50");
    model.save();
    expect(edit.requests).toMatchObject([{ values: { "/amount": 1250 } }]);
    await edit.asked[0]?.answer({
      type: "refusal",
      code: "invalid_arguments",
      issues: [{ pointer: "/amount", message: "More than was paid." }],
    });
    expect(model.view()).toMatchObject({
      state: "editing",
      entries: { "/amount": "12.50" },
      faults: { "/amount": { code: "refused", text: "More than was paid." } },
    });
  });

  it("CARD-32 keeps what was typed when a newer version arrives", () => {
    const edit = command();
    const inputs = { card: cancelOrder(), onEdit: edit.ask };
    const { model } = armed(inputs);
    model.edit("/reason");
    model.enter("/reason", '"mind"');
    model.sync({ ...inputs, card: cancelOrder({ version: 2, seq: 2 }) });
    expect(model.view()).toMatchObject({
      state: "editing",
      entries: { "/reason": '"mind"' },
      note: { type: "changed" },
    });
    model.save();
    expect(edit.requests).toMatchObject([{ version: 2 }]);
  });

  it("CARD-33 can be left without a trace, and declined from", () => {
    const decline = command();
    const { model, timers } = armed({ card: cancelOrder(), onEdit: command().ask, onDecline: decline.ask });
    model.edit("/reason");
    model.discard();
    expect(model.view()).toMatchObject({ state: "proposed", armed: false });
    timers.advance(500);
    model.edit("/reason");
    timers.advance(500);
    model.decline(press);
    expect(model.view()).toMatchObject({ state: "sending", decision: "decline" });
  });
});

describe("a receipt", () => {
  it("CARD-17 proposes its undo as a new write, which is shown like any other", async () => {
    const undo = command();
    const applied = cancelOrder({ state: "applied", seq: 4 });
    const { model } = armed({ card: applied, onUndo: undo.ask });
    model.undo();
    model.undo();
    expect(undo.requests).toEqual([{ writeId: "wr_7Q4M2KXD" }]);
    await undo.asked[0]?.answer(ok(refund({ createdAt: "2026-11-30T21:35:00.000Z" })));
    expect(model.view()).toMatchObject({ state: "proposed", armed: false, card: { writeId: "wr_2F6R9CJP" } });
  });
});
