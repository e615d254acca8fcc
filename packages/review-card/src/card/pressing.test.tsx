import { act, cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, refund } from "../example-cards.ts";
import type { CardAnswer } from "../model/answer.ts";
import { button, isLive, never, ok, putCard, receiptOf } from "../put-card.tsx";

afterEach(cleanup);

describe("pressing", () => {
  it("CARD-23 sends one request for a double click, held keys and a press of both buttons", async () => {
    const onConfirm = vi.fn(never);
    const onDecline = vi.fn(never);
    const { root } = putCard({ card: cancelOrder(), onConfirm, onDecline });
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
    putCard({ card: cancelOrder() });
    await userEvent.setup().click(button("Cancel order"));
    expect(document.activeElement).toBe(button("Sending…"));
    expect([isLive(button("Sending…")), isLive(button("Keep order"))]).toEqual([false, false]);
    expect(screen.getByRole("status").textContent).toBe("Confirmed by you. Being sent.");
  });

  it("CARD-24 moves the focus to the heading of the receipt, once it was inside the card", async () => {
    const applied = cancelOrder({
      state: "applied",
      seq: 4,
      receipt: receiptOf("applied", "Order cancelled"),
    });
    putCard({ card: cancelOrder(), onConfirm: async () => ok(applied) });
    await userEvent.setup().click(button("Cancel order"));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Order cancelled" }));
    expect(screen.getByRole("status").textContent).toBe("Done. Order cancelled");
  });

  it("CARD-23 does nothing by a key that was already held down", async () => {
    const onConfirm = vi.fn(never);
    putCard({ card: cancelOrder(), onConfirm });
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
    const { timers } = putCard({
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
            receipt: receiptOf("unknown", "It may or may not have gone through."),
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
    const { timers } = putCard({
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
