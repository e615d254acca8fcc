import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder } from "../example-cards.ts";
import { button, isLive, never, putCard } from "../put-card.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Seen = { readonly isIntersecting: boolean; readonly isVisible?: boolean };

/** What a browser sees of the buttons, told by hand. */
function observer(): { see: (seen: Seen) => void; options: () => unknown; seesWhat: () => string } {
  let tell: (entries: readonly Seen[]) => void = () => {};
  let asked: unknown;
  let observed: Element | undefined;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: (entries: readonly Seen[]) => void, options: unknown) {
        tell = callback;
        asked = options;
      }
      observe(element: Element): void {
        observed = element;
      }
      disconnect(): void {}
    },
  );
  return {
    see: (seen) => act(() => tell([seen])),
    options: () => asked,
    seesWhat: () => observed?.textContent ?? "",
  };
}

const live = (): boolean[] => [isLive(button("Cancel order")), isLive(button("Keep order"))];

describe("being seen", () => {
  it("CARD-42 arms only after half of both buttons has been in view for half a second", () => {
    const eye = observer();
    const { timers } = putCard({ card: cancelOrder() });
    expect([eye.seesWhat(), eye.options()]).toEqual([
      "Cancel orderKeep order",
      { threshold: 0.5, trackVisibility: true, delay: 100 },
    ]);
    expect(live()).toEqual([false, false]);
    eye.see({ isIntersecting: true });
    act(() => timers.advance(499));
    expect(live()).toEqual([false, false]);
    act(() => timers.advance(1));
    expect(live()).toEqual([true, true]);
    eye.see({ isIntersecting: false });
    expect(live()).toEqual([false, false]);
  });

  it("CARD-42 does not arm under something else, says so, and arms when it is gone", () => {
    const eye = observer();
    const { timers, root } = putCard({ card: cancelOrder() });
    const words = "Something covers these buttons.";
    eye.see({ isIntersecting: true, isVisible: false });
    act(() => timers.advance(5000));
    expect(live()).toEqual([false, false]);
    expect(root().textContent).toContain(words);
    eye.see({ isIntersecting: true, isVisible: true });
    act(() => timers.advance(500));
    expect(live()).toEqual([true, true]);
    expect(root().textContent).not.toContain(words);
  });

  it("CARD-42 does not arm in a page that is hidden", () => {
    const { timers } = putCard({ card: cancelOrder() });
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    act(() => timers.advance(5000));
    expect(live()).toEqual([false, false]);
  });

  it("CARD-42 disarms under a pointer that presses where the buttons have just moved to", () => {
    let top = 100;
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(
      () => new DOMRect(0, top, 1, 1),
    );
    const { timers } = putCard({ card: cancelOrder() });
    top = 108;
    fireEvent.pointerDown(button("Cancel order"));
    expect(live()).toEqual([true, true]);
    top = 117;
    fireEvent.pointerDown(button("Cancel order"));
    expect(live()).toEqual([false, false]);
    act(() => timers.advance(500));
    expect(live()).toEqual([true, true]);
  });

  it("CARD-42 counts a press of a pointer that followed the buttons to where they moved", () => {
    let top = 100;
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(
      () => new DOMRect(0, top, 1, 1),
    );
    putCard({ card: cancelOrder() });
    top = 300;
    fireEvent.pointerMove(button("Cancel order"));
    fireEvent.pointerDown(button("Cancel order"));
    expect(live()).toEqual([true, true]);
  });

  it("CARD-42 arms only once the buttons have stood still", () => {
    let top = 100;
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(
      () => new DOMRect(0, top, 1, 1),
    );
    const { timers } = putCard({ card: cancelOrder() }, false);
    for (let move = 0; move < 10; move += 1) {
      top += 20;
      act(() => timers.advance(125));
    }
    act(() => timers.advance(499));
    expect(live()).toEqual([false, false]);
    act(() => timers.advance(1));
    expect(live()).toEqual([true, true]);
  });

  it("CARD-42 counts a press on buttons that have stood still since they moved", () => {
    let top = 100;
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(
      () => new DOMRect(0, top, 1, 1),
    );
    const { timers } = putCard({ card: cancelOrder() });
    top = 300;
    act(() => timers.advance(250));
    fireEvent.pointerDown(button("Cancel order"));
    expect(live()).toEqual([true, true]);
  });
});

describe("a press", () => {
  it("CARD-42 that a script makes does nothing", async () => {
    const onConfirm = vi.fn(never);
    const onDecline = vi.fn(never);
    putCard({ card: cancelOrder(), onConfirm, onDecline, trusts: undefined });
    button("Cancel order").click();
    await userEvent.setup().click(button("Keep order"));
    expect([onConfirm.mock.calls, onDecline.mock.calls]).toEqual([[], []]);
  });
});

describe("inside a foreign page", () => {
  const foreign = {
    get document(): Document {
      throw new DOMException("Blocked a frame from accessing a cross-origin frame.", "SecurityError");
    },
  };

  it("CARD-42 never arms, and says why", () => {
    vi.spyOn(window, "parent", "get").mockReturnValue(foreign as Window & typeof globalThis);
    const { timers } = putCard({ card: cancelOrder() });
    act(() => timers.advance(60_000));
    expect(live()).toEqual([false, false]);
    expect(screen.getByText(/inside another website/)).toBeTruthy();
  });

  it("CARD-42 arms where its own page allows that", () => {
    vi.spyOn(window, "parent", "get").mockReturnValue(foreign as Window & typeof globalThis);
    putCard({ card: cancelOrder(), allowFraming: true });
    expect(live()).toEqual([true, true]);
  });

  it("CARD-42 arms inside a page of its own origin", () => {
    const own = { document } as Window & typeof globalThis;
    vi.spyOn(window, "parent", "get").mockReturnValue(Object.assign(own, { parent: own }));
    putCard({ card: cancelOrder() });
    expect(live()).toEqual([true, true]);
  });
});
