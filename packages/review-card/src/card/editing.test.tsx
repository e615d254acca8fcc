import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { moveDelivery, refund } from "../example-cards.ts";
import type { CardAnswer } from "../model/answer.ts";
import { button, isLive, never, ok, putCard } from "../put-card.tsx";

afterEach(cleanup);

describe("editing", () => {
  it("CARD-33 goes to the field that was opened, and back to its button on Escape, deciding nothing", async () => {
    const onDecline = vi.fn(never);
    putCard({ card: moveDelivery(), onDecline });
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
    putCard({ card: refund(), onConfirm, onEdit });
    const user = userEvent.setup();
    await user.click(button("Change Refund to your card"));
    await user.clear(screen.getByLabelText("Refund to your card"));
    await user.keyboard("12.50{Enter}");
    expect([onConfirm.mock.calls, onEdit.mock.calls]).toEqual([[], []]);
    expect(isLive(button("Refund €24.00"))).toBe(false);
  });

  it("CARD-34 sends exact minor units, and shows the currency beside the amount", async () => {
    const onEdit = vi.fn(never);
    const { root } = putCard({ card: refund(), onEdit });
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
    putCard({ card: refund(), onEdit });
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
    putCard({
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

  it("CARD-47 says a date in words, whatever order of day and month the browser draws", async () => {
    putCard({ card: moveDelivery() });
    const user = userEvent.setup();
    await user.click(button("Change New date"));
    const input = screen.getByLabelText("New date");
    const said = (): (string | undefined)[] =>
      (input.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? undefined);
    expect(said()).toEqual(["Wed, 2 Dec 2026", "The courier delivers Monday to Saturday."]);
    await user.clear(input);
    await user.type(input, "2026-02-12");
    expect(said()).toEqual(["Thu, 12 Feb 2026", "The courier delivers Monday to Saturday."]);
    await user.clear(input);
    expect(said()).toEqual(["The courier delivers Monday to Saturday."]);
  });
});
