import { act, cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, closeAccount, exampleTime } from "../example-cards.ts";
import { manualTimers } from "../manual-timers.ts";
import { isOpen } from "../model/view.ts";
import type { CardParts } from "../parts/parts.tsx";
import { button, never, putCard, receiptOf } from "../put-card.tsx";
import { type ReviewCardModelOptions, useReviewCardModel } from "../use-review-card-model.ts";

afterEach(cleanup);

const parts: CardParts = {
  Root: (props) => <section {...props} data-own="root" />,
  Title: ({ children, ...props }) => <h1 {...props}>Own: {children}</h1>,
  Field: ({ label, children }) => (
    <div data-own="field">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  ),
  Effects: ({ children }) => <div data-own="effects">{children}</div>,
  Details: ({ children }) => <div data-own="details">{children}</div>,
  Warnings: ({ card }) => <p data-own="warnings">{card.warnings.join(" ")}</p>,
  Confirm: ({ children, ...props }) => (
    <button {...props} data-own="confirm">
      Yes: {children}
    </button>
  ),
  // A button that ignores being disabled.
  Decline: ({ children, onClick }) => (
    <button type="button" data-own="decline" onClick={onClick}>
      {children}
    </button>
  ),
  Receipt: ({ children }) => <div data-own="receipt">{children}</div>,
};

const own = (root: HTMLElement): (string | undefined)[] =>
  [root, ...root.querySelectorAll<HTMLElement>("[data-own]")].map((each) => each.dataset.own);

describe("parts of the host's own", () => {
  it("CARD-45 stand in the place of the card's, each of them", () => {
    const { root, again } = putCard({ card: cancelOrder(), parts });
    expect(own(root())).toEqual([
      "root",
      "field",
      "field",
      "field",
      "effects",
      "details",
      "warnings",
      "confirm",
      "decline",
    ]);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Own: Cancel this order?");
    expect(screen.getByRole("region", { name: "Own: Cancel this order?" })).toBe(root());
    again({
      card: cancelOrder({ state: "applied", seq: 4, receipt: receiptOf("applied", "Done") }),
      parts,
    });
    expect(own(root())).toEqual(["root", "receipt"]);
  });

  it("CARD-45 cannot decide before the card has been in view, nor by a script", async () => {
    const onDecline = vi.fn(never);
    const onConfirm = vi.fn(never);
    const { timers } = putCard({ card: cancelOrder(), parts, onDecline, onConfirm }, false);
    const user = userEvent.setup();
    await user.click(button("Keep order"));
    expect(onDecline).not.toHaveBeenCalled();
    act(() => timers.advance(500));
    await user.dblClick(button("Keep order"));
    await user.click(button("Yes: Cancel order"));
    expect(onDecline).toHaveBeenCalledTimes(1);
    expect(onConfirm).not.toHaveBeenCalled();
  });
});

function OwnCard(props: ReviewCardModelOptions): ReactElement {
  const { view, model, buttons } = useReviewCardModel(props);
  if (!isOpen(view)) return <p>{view.state}</p>;
  return (
    <div ref={buttons}>
      <button type="button" onClick={model.confirm}>
        Go
      </button>
      <input aria-label="Word" value={view.typed} onChange={(event) => model.type(event.target.value)} />
      <p>{view.state}</p>
    </div>
  );
}

/** Buttons that nobody watches. */
function Unwatched(props: ReviewCardModelOptions): ReactElement {
  const { model } = useReviewCardModel(props);
  return (
    <button type="button" onClick={model.confirm}>
      Go
    </button>
  );
}

describe("a card without a look", () => {
  const shared = { serverTime: exampleTime, trusts: () => true };

  it("CARD-45 keeps all conditions of the card that has one", async () => {
    const onConfirm = vi.fn(never);
    const timers = manualTimers();
    render(<OwnCard {...shared} timers={timers} card={closeAccount()} onConfirm={onConfirm} />);
    const user = userEvent.setup();
    await user.type(screen.getByLabelText("Word"), "close");
    await user.click(button("Go"));
    expect(onConfirm).not.toHaveBeenCalled();
    act(() => timers.advance(500));
    await user.clear(screen.getByLabelText("Word"));
    await user.click(button("Go"));
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText("Word"), "close");
    await user.dblClick(button("Go"));
    expect(onConfirm).toHaveBeenCalledTimes(1);
    expect(screen.getByText("sending")).toBeTruthy();
  });

  it("CARD-45 sends nothing when a script presses", async () => {
    const onConfirm = vi.fn(never);
    const timers = manualTimers();
    const real = { ...shared, trusts: undefined };
    render(<OwnCard {...real} timers={timers} card={cancelOrder()} onConfirm={onConfirm} />);
    act(() => timers.advance(500));
    await userEvent.setup().click(button("Go"));
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it("CARD-45 never arms while its buttons are not watched", async () => {
    const onConfirm = vi.fn(never);
    const timers = manualTimers();
    render(<Unwatched {...shared} timers={timers} card={cancelOrder()} onConfirm={onConfirm} />);
    act(() => timers.advance(60_000));
    await userEvent.setup().click(button("Go"));
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it("CARD-45 stops watching buttons that are gone", () => {
    const timers = manualTimers();
    const { rerender } = render(
      <OwnCard {...shared} timers={timers} card={cancelOrder()} onConfirm={never} />,
    );
    const done = cancelOrder({ state: "declined", seq: 2 });
    rerender(<OwnCard {...shared} timers={timers} card={done} onConfirm={never} />);
    expect(screen.getByText("declined")).toBeTruthy();
    const read = vi.spyOn(HTMLElement.prototype, "getBoundingClientRect");
    act(() => timers.advance(5000));
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });
});
