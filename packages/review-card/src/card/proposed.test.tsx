import { act, cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime, moveDelivery, refund } from "../example-cards.ts";
import { manualTimers } from "../manual-timers.ts";
import { button, isLive, never, putCard, receiptOf } from "../put-card.tsx";
import { ReviewCard } from "../review-card.tsx";

afterEach(cleanup);

describe("a proposed card", () => {
  it("CARD-19 is one labelled section with the title, what is sent, what changes, and two buttons that say what happens", () => {
    putCard({ card: cancelOrder() });
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
      const { root } = putCard({ card });
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
    putCard({ card: refund() });
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
    putCard({ card: cancelOrder() }, false);
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
          trusts={() => true}
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
    const { again } = putCard({ card: cancelOrder() });
    again({
      card: cancelOrder({ state: "applied", seq: 4, receipt: receiptOf("applied", "Order cancelled") }),
    });
    expect(document.activeElement).toBe(document.body);
  });

  it("CARD-33 can only be changed where a field is editable", () => {
    putCard({ card: cancelOrder() });
    expect(screen.getAllByRole("button", { name: /^Change/ }).map((each) => each.textContent)).toEqual([
      "Change Reason",
    ]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("CARD-20 shows text as text: no markup, no link, and what cannot be seen is marked and named", () => {
    const hostile =
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [pay](https://evil.example)';
    const { root } = putCard({
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
    const { root } = putCard({ card: cancelOrder() });
    const values = [...root().querySelectorAll("bdi")].map((value) => value.textContent);
    expect(values).toEqual(
      expect.arrayContaining(["A-1042", "Arrives too late", "Open", "Cancelled", "web"]),
    );
  });
});
