import type { Card, WriteState } from "@countersign/core/card";
import { act, cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime, moveDelivery, refund } from "./example-cards.ts";
import { type ManualTimers, manualTimers } from "./manual-timers.ts";
import type { CardAnswer } from "./model/answer.ts";
import { ReviewCard, type ReviewCardProps } from "./review-card.tsx";

afterEach(cleanup);

const never = (): Promise<CardAnswer> => new Promise(() => {});
const ok = (card: Card): CardAnswer => ({ type: "ok", card, serverTime: exampleTime });

type Put = {
  readonly timers: ManualTimers;
  readonly root: () => HTMLElement;
  readonly again: (props: ReviewCardProps) => void;
};

function put(props: ReviewCardProps, arm = true): Put {
  const timers = manualTimers();
  const all: ReviewCardProps = {
    serverTime: exampleTime,
    timers,
    onEdit: never,
    onConfirm: never,
    onDecline: never,
    onExtend: never,
    onUndo: never,
    ...props,
  };
  const { rerender, container } = render(<ReviewCard {...all} />);
  if (arm) act(() => timers.advance(500));
  return {
    timers,
    root: () => container.querySelector<HTMLElement>(".cs-card") ?? container,
    again: (next) => rerender(<ReviewCard {...all} {...next} />),
  };
}

const button = (name: string | RegExp): HTMLElement => screen.getByRole("button", { name });
const isLive = (element: HTMLElement): boolean => element.getAttribute("aria-disabled") !== "true";

const receipt = (
  outcome: "applied" | "not_applied" | "pending" | "unknown" | "declined",
  title: string,
): Card["receipt"] => ({
  outcome,
  title,
  message: null,
  fields: [{ label: "Order", display: "A-1042" }],
  settledAt: outcome === "applied" ? "2026-11-30T21:34:00.000Z" : null,
  reference: "wr_7Q4M2KXD",
  undo: outcome === "applied" ? { label: "Reopen order", note: "This is shown to you first." } : null,
});

describe("a proposed card", () => {
  it("CARD-19 is one labelled section with the title, what is sent, what changes, and two buttons that say what happens", () => {
    put({ card: cancelOrder() });
    const card = screen.getByRole("region", { name: "Cancel this order?" });
    const rows = within(card)
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(rows).toEqual([
      ["Order", "A-1042"],
      ["Account", "Ana, a•••@mail.example"],
      ["Reason", "Arrives too lateChange Reason"],
      ["Status", "was Open now Cancelled"],
      ["You pay", "was €24.00 now €0.00"],
      ["Channel", "web"],
      ["Internal note", "sent, not shown here"],
    ]);
    expect(card.textContent).toContain("This cannot be undone.");
    expect(card.textContent).toContain("Open until Mon, 30 Nov 2026, 22:41 CET");
    expect(card.textContent).toContain("About 8 minutes left");
    expect([isLive(button("Cancel order")), isLive(button("Keep order"))]).toEqual([true, true]);
  });

  it.each([cancelOrder(), refund(), moveDelivery()])(
    "CARD-19 shows every argument it sends, or names it: $tool",
    (card) => {
      const { root } = put({ card });
      for (const { label, display, items } of card.fields) {
        expect(root().textContent).toContain(label);
        for (const text of items ?? [display]) expect(root().textContent).toContain(text);
      }
      for (const { label, display } of card.details) {
        expect(root().textContent).toContain(label);
        if (display !== null) expect(root().textContent).toContain(display);
      }
    },
  );

  it("CARD-19 puts the amount first, and counts what a list holds", () => {
    put({ card: refund() });
    expect(screen.getAllByRole("term").map((term) => term.textContent)).toEqual([
      "Refund to your card",
      "Card",
      "Order",
      "Items (2)",
    ]);
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Tea glass, set of 4",
      "Linen napkin, grey",
    ]);
  });

  it("CARD-22 has no live button at first, nor in what a server renders", () => {
    put({ card: cancelOrder() }, false);
    expect([isLive(button("Cancel order")), isLive(button("Keep order"))]).toEqual([false, false]);
    const html = renderToString(<ReviewCard card={cancelOrder()} onConfirm={never} onDecline={never} />);
    const buttons = html.match(/<button[^>]*class="cs-button[ "][^>]*>/g) ?? [];
    expect(buttons.map((each) => each.includes('aria-disabled="true"'))).toEqual([true, true]);
  });

  it("CARD-21 takes over what a server rendered without a difference", async () => {
    const element = (
      <ReviewCard
        card={refund()}
        serverTime={exampleTime}
        onConfirm={never}
        onDecline={never}
        onEdit={never}
      />
    );
    const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
    const container = document.createElement("div");
    container.innerHTML = renderToString(element);
    document.body.append(container);
    render(element, { container, hydrate: true });
    await act(async () => {});
    expect(complaint.mock.calls).toEqual([]);
    complaint.mockRestore();
  });

  it("CARD-21 keeps its promises when React mounts it twice", async () => {
    const onConfirm = vi.fn(never);
    const timers = manualTimers();
    render(
      <StrictMode>
        <ReviewCard
          card={cancelOrder()}
          serverTime={exampleTime}
          timers={timers}
          onConfirm={onConfirm}
          onDecline={never}
        />
      </StrictMode>,
    );
    act(() => timers.advance(500));
    await userEvent.setup().dblClick(button("Cancel order"));
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  it("CARD-24 takes the focus from nobody", () => {
    const { again } = put({ card: cancelOrder() });
    again({
      card: cancelOrder({ state: "applied", seq: 4, receipt: receipt("applied", "Order cancelled") }),
    });
    expect(document.activeElement).toBe(document.body);
  });

  it("CARD-33 can only be changed where a field is editable", () => {
    put({ card: cancelOrder() });
    expect(screen.getAllByRole("button", { name: /^Change/ }).map((each) => each.textContent)).toEqual([
      "Change Reason",
    ]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("CARD-20 shows text as text: no markup, no link, and what cannot be seen is marked and named", () => {
    const hostile =
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [pay](https://evil.example)';
    const { root } = put({
      card: cancelOrder({
        title: hostile,
        fields: [
          { argument: "/a", label: "Note", format: "text", value: "x", display: hostile, editable: false },
          {
            argument: "/b",
            label: "Payee",
            format: "text",
            value: "x",
            display: "Ben⟦U+202E⟧ Ltd⟦U+200B×3⟧",
            editable: false,
          },
        ],
        details: [{ argument: "/c", label: "Detail", display: hostile, omitted: false }],
        effects: [{ label: "Effect", before: hostile, after: hostile }],
        warnings: [hostile],
      }),
    });
    expect(root().querySelectorAll("img, script, a")).toHaveLength(0);
    expect("hacked" in window).toBe(false);
    const payee = screen.getByText("Payee").nextElementSibling;
    expect([...(payee?.querySelectorAll(".cs-invisible") ?? [])].map((mark) => mark.textContent)).toEqual([
      "U+202E (invisible character)",
      "U+200B×3 (invisible character)",
    ]);
    expect(payee?.textContent).toContain("4 characters here are invisible.");
  });

  it("CARD-20 keeps every value apart from the direction of the words around it", () => {
    const { root } = put({ card: cancelOrder() });
    const values = [...root().querySelectorAll("bdi")].map((value) => value.textContent);
    expect(values).toEqual(
      expect.arrayContaining(["A-1042", "Arrives too late", "Open", "Cancelled", "web"]),
    );
  });
});

describe("pressing", () => {
  it("CARD-23 sends one request for a double click, held keys and a press of both buttons", async () => {
    const onConfirm = vi.fn(never);
    const onDecline = vi.fn(never);
    const { root } = put({ card: cancelOrder(), onConfirm, onDecline });
    const user = userEvent.setup();
    await user.dblClick(button("Cancel order"));
    await user.keyboard("{Enter>5/}");
    await user.keyboard(" ");
    await user.click(button("Keep order"));
    expect(onConfirm.mock.calls).toEqual([[{ writeId: "wr_7Q4M2KXD", version: 1, digest: "d".repeat(64) }]]);
    expect(onDecline).not.toHaveBeenCalled();
    expect(root().querySelector("[aria-busy=true]")?.contains(button("Sending…"))).toBe(true);
  });

  it("CARD-24 keeps the focus on the pressed button while it is sent, and says what goes on", async () => {
    put({ card: cancelOrder() });
    await userEvent.setup().click(button("Cancel order"));
    expect(document.activeElement).toBe(button("Sending…"));
    expect([isLive(button("Sending…")), isLive(button("Keep order"))]).toEqual([false, false]);
    expect(screen.getByRole("status").textContent).toBe("Confirmed by you. Being sent.");
  });

  it("CARD-24 moves the focus to the heading of the receipt, once it was inside the card", async () => {
    const applied = cancelOrder({ state: "applied", seq: 4, receipt: receipt("applied", "Order cancelled") });
    put({ card: cancelOrder(), onConfirm: async () => ok(applied) });
    await userEvent.setup().click(button("Cancel order"));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Order cancelled" }));
    expect(screen.getByRole("status").textContent).toBe("Done. Order cancelled");
  });

  it("CARD-23 does nothing by a key that was already held down", async () => {
    const onConfirm = vi.fn(never);
    put({ card: cancelOrder(), onConfirm });
    button("Cancel order").focus();
    const held = new KeyboardEvent("keydown", {
      key: "Enter",
      repeat: true,
      bubbles: true,
      cancelable: true,
    });
    expect(button("Cancel order").dispatchEvent(held)).toBe(false);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it("CARD-26 leaves no live button when the answer was lost, until the server said how it stands", async () => {
    let answer: (answer: CardAnswer) => void = () => {};
    const { timers } = put({
      card: cancelOrder(),
      onConfirm: () => Promise.reject(new TypeError("Failed to fetch")),
      onRefetch: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await userEvent.setup().click(button("Cancel order"));
    act(() => timers.advance(5000));
    expect([isLive(button("Checking…")), isLive(button("Keep order"))]).toEqual([false, false]);
    expect(screen.getByRole("alert").textContent).toContain(
      "It is not known yet whether your answer arrived.",
    );
    await act(async () =>
      answer(
        ok(
          cancelOrder({
            state: "unknown",
            seq: 3,
            receipt: receipt("unknown", "It may or may not have gone through."),
          }),
        ),
      ),
    );
    expect(screen.queryByRole("button", { name: /again|retry|cancel order/i })).toBeNull();
    expect(screen.getByRole("region").textContent).toContain("It may or may not have gone through.");
  });

  it("CARD-25 shows the new card and what changed in it when it had drifted", async () => {
    const next = refund({
      version: 2,
      seq: 3,
      changes: [{ label: "Refund to your card", from: "€26.00", to: "€24.00", by: "drift" }],
    });
    const { timers } = put({
      card: refund(),
      onConfirm: async () => ({ type: "refusal", code: "drifted", card: next }),
    });
    await userEvent.setup().click(button("Refund €24.00"));
    expect(screen.getByRole("alert").textContent).toContain("This changed since you looked");
    expect(screen.getByRole("region").textContent).toContain("Changed since you last looked. It was €26.00.");
    expect(isLive(button("Refund €24.00"))).toBe(false);
    act(() => timers.advance(500));
    expect(isLive(button("Refund €24.00"))).toBe(true);
  });
});

describe("editing", () => {
  it("CARD-33 goes to the field that was opened, and back to its button on Escape, deciding nothing", async () => {
    const onDecline = vi.fn(never);
    put({ card: moveDelivery(), onDecline });
    const user = userEvent.setup();
    await user.click(button("Change New date"));
    expect(document.activeElement).toBe(screen.getByLabelText("New date"));
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(button("Change New date"));
    expect(onDecline).not.toHaveBeenCalled();
  });

  it("CARD-33 neither saves nor confirms on Enter in a field", async () => {
    const onConfirm = vi.fn(never);
    const onEdit = vi.fn(never);
    put({ card: refund(), onConfirm, onEdit });
    const user = userEvent.setup();
    await user.click(button("Change Refund to your card"));
    await user.clear(screen.getByLabelText("Refund to your card"));
    await user.keyboard("12.50{Enter}");
    expect([onConfirm.mock.calls, onEdit.mock.calls]).toEqual([[], []]);
    expect(isLive(button("Refund €24.00"))).toBe(false);
  });

  it("CARD-34 sends exact minor units, and shows the currency beside the amount", async () => {
    const onEdit = vi.fn(never);
    const { root } = put({ card: refund(), onEdit });
    const user = userEvent.setup();
    await user.click(button("Change Refund to your card"));
    const input = screen.getByLabelText<HTMLInputElement>("Refund to your card");
    expect([input.value, input.getAttribute("inputmode")]).toEqual(["24.00", "decimal"]);
    expect(root().textContent).toContain("EUR");
    await user.clear(input);
    await user.type(input, "19.99");
    await user.dblClick(button("Save changes"));
    expect(onEdit.mock.calls).toEqual([
      [{ writeId: "wr_2F6R9CJP", version: 1, values: { "/amount": 1999 } }],
    ]);
    expect(button("Saving…")).toBeTruthy();
  });

  it("CARD-32 sums up what cannot be saved, keeps the value, and goes to the first field of them", async () => {
    const onEdit = vi.fn(never);
    put({ card: refund(), onEdit });
    const user = userEvent.setup();
    await user.click(button("Change Refund to your card"));
    const input = screen.getByLabelText<HTMLInputElement>("Refund to your card");
    await user.clear(input);
    await user.type(input, "99");
    await user.click(button("Save changes"));
    expect(onEdit).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(input);
    expect([input.value, input.getAttribute("aria-invalid")]).toEqual(["99", "true"]);
    const described = (input.getAttribute("aria-describedby") ?? "").split(" ");
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      "EUR",
      "Enter 24.00 or less.",
    ]);
    expect(screen.getByRole("alert").textContent).toBe(
      "1 entry cannot be saved yetRefund to your card: Enter 24.00 or less.",
    );
  });

  it("CARD-31 comes back as a new version that says what the customer changed", async () => {
    const saved = moveDelivery({
      version: 2,
      seq: 2,
      changes: [{ label: "New date", from: "Wed, 2 Dec 2026", to: "Thu, 3 Dec 2026", by: "customer" }],
    });
    put({
      card: moveDelivery(),
      onEdit: async () => ({ ...ok(saved), consequencesChanged: true }) as CardAnswer,
    });
    const user = userEvent.setup();
    await user.click(button("Change Note"));
    await user.type(screen.getByLabelText("Note"), "!");
    await user.click(button("Save changes"));
    expect(screen.getByRole("region").textContent).toContain("Saved. Please look again before you confirm.");
    expect(screen.getByRole("region").textContent).toContain("You changed this. It was Wed, 2 Dec 2026.");
    expect(document.activeElement).toBe(button("Change Note"));
    expect(isLive(button("Move delivery"))).toBe(false);
  });
});

describe("each state", () => {
  const states: readonly (readonly [string, ReviewCardProps, string])[] = [
    ["loading", { card: undefined }, "Loading the proposal…"],
    ["proposed", { card: cancelOrder() }, "Nothing has changed yet."],
    [
      "sending",
      { card: cancelOrder({ state: "running", decidedAt: "2026-11-30T21:33:10.000Z" }) },
      "You confirmed at 22:33:10 CET.",
    ],
    ["checking", { card: cancelOrder(), fresh: false }, "Checking how this stands…"],
    ["offline", { card: cancelOrder(), online: false }, "You are offline"],
    [
      "awaiting_verification",
      {
        card: refund({
          state: "awaiting_verification",
          stepUp: {
            level: "high",
            maxAuthAgeSeconds: 300,
            until: "2026-11-30T21:43:00.000Z",
            verifyUrl: "https://shop.example/verify",
          },
        }),
      },
      "Waits until Mon, 30 Nov 2026, 22:43 CET",
    ],
    [
      "applied",
      { card: cancelOrder({ state: "applied", receipt: receipt("applied", "Order cancelled") }) },
      "Mon, 30 Nov 2026, 22:34 CET",
    ],
    [
      "not_applied",
      { card: cancelOrder({ state: "not_applied", receipt: receipt("not_applied", "Not cancelled") }) },
      "Nothing was changed.",
    ],
    [
      "declined",
      { card: cancelOrder({ state: "declined", receipt: receipt("declined", "Order kept") }) },
      "Nothing was changed.",
    ],
    ["expired", { card: cancelOrder({ state: "expired" }) }, "Nothing was changed."],
    [
      "withdrawn",
      { card: cancelOrder({ state: "withdrawn", reason: "found" }) },
      "Withdrawn: found. Nothing was changed.",
    ],
    [
      "superseded",
      { card: cancelOrder({ state: "superseded", reason: "customer_changed" }) },
      "Set aside, because someone else signed in. Nothing was changed.",
    ],
    [
      "pending",
      { card: cancelOrder({ state: "pending", receipt: receipt("pending", "Accepted") }) },
      "You need do nothing",
    ],
    [
      "unknown",
      {
        card: cancelOrder({
          state: "unknown",
          receipt: receipt("unknown", "It may or may not have gone through."),
        }),
      },
      "It may or may not have gone through.",
    ],
    ["ended", { card: cancelOrder(), ended: "signed_out" }, "because you signed out"],
  ];

  it.each(states)("CARD-36 says in words that it is %s", (state, props, words) => {
    const { root } = put(props);
    expect(root().dataset.state).toBe(state);
    expect(root().textContent).toContain(words);
    expect(screen.getByRole("region", { name: /\S/ })).toBe(root());
  });

  it.each([
    "expired",
    "withdrawn",
    "superseded",
    "pending",
    "unknown",
    "declined",
    "not_applied",
  ] satisfies WriteState[])("CARD-36 leaves nothing to decide: %s", (state) => {
    put({ card: cancelOrder({ state, receipt: receipt("unknown", "Title") }) });
    expect(screen.queryByRole("button", { name: /cancel order|keep order|change|again/i })).toBeNull();
  });

  it("CARD-29 takes its controls away when the server's time is up, with the device an hour off", () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse(exampleTime) - 3_600_000);
    const { timers, root } = put({ card: cancelOrder() });
    act(() => timers.advance(8 * 60_000 - 501));
    expect(isLive(button("Cancel order"))).toBe(true);
    act(() => timers.advance(1));
    expect(root().dataset.state).toBe("expired");
    expect(screen.queryByRole("button", { name: /order/ })).toBeNull();
    vi.restoreAllMocks();
  });

  it("CARD-27 does not go back when an older snapshot comes late", () => {
    const { again, root } = put({
      card: cancelOrder({ state: "declined", seq: 2, receipt: receipt("declined", "Order kept") }),
    });
    again({ card: cancelOrder() });
    expect(root().dataset.state).toBe("declined");
  });

  it("CARD-37 offers only a web address as the way to verify", () => {
    const stepUp = { level: null, maxAuthAgeSeconds: null, until: "2026-11-30T21:43:00.000Z" };
    put({
      card: refund({
        state: "awaiting_verification",
        stepUp: { ...stepUp, verifyUrl: "javascript:alert(1)" },
      }),
    });
    expect(screen.queryByRole("link")).toBeNull();
    expect(isLive(button("Do not refund"))).toBe(true);
  });

  it("CARD-38 copies the reference of a receipt, and says so", async () => {
    put({ card: cancelOrder({ state: "applied", receipt: receipt("applied", "Order cancelled") }) });
    const user = userEvent.setup();
    await user.click(button("Copy Reference"));
    expect(await navigator.clipboard.readText()).toBe("wr_7Q4M2KXD");
    expect(screen.getByRole("status").textContent).toBe("Copied");
  });

  it("CARD-38 speaks the host's words where the host gives some", () => {
    put({ card: cancelOrder(), messages: { proposed: "Proposed by Harbor Shop. Nothing has changed yet." } });
    expect(screen.getByText("Proposed by Harbor Shop. Nothing has changed yet.")).toBeTruthy();
  });
});
