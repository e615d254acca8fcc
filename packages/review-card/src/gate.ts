import { pageTimers, type Timers } from "./model/timers.ts";
import { isOpen } from "./model/view.ts";
import type { ReviewCardModel } from "./model.ts";

/** Where a card may be pressed. */
export type GateOptions = {
  /** Lets the card arm inside a frame of a foreign page. Default: false, since such a page could lead the press. */
  readonly allowFraming?: boolean | undefined;
  readonly timers?: Timers | undefined;
};

/** Listens until the returned function is called. */
export function listen<E extends Event>(
  target: EventTarget,
  name: string,
  run: (event: E) => void,
  capture = false,
): () => void {
  target.addEventListener(name, run as (event: Event) => void, capture);
  return () => target.removeEventListener(name, run as (event: Event) => void, capture);
}

/** Whether some page around this one is of another origin: only then may this one not look at it. */
function isFramedByOthers(frame: Window): boolean {
  try {
    for (let inner = frame; inner !== inner.parent; inner = inner.parent) void inner.parent.document.body;
    return false;
  } catch {
    return true;
  }
}

// Two samples take about as long as a person takes to see that something moved.
const sampleMs = 125;
const farthest = 8;

const isMoved = (from: DOMRect, to: DOMRect): boolean =>
  Math.hypot(to.left - from.left, to.top - from.top) > farthest;

/**
 * Tells `model` whether its buttons can be seen: more than half of `buttons` in a page that is shown, nothing over them
 * and nothing that makes them transparent (where the browser can tell: IntersectionObserver v2, W3C draft of 2023-10-18),
 * and standing still. Returns what ends it.
 */
export function watchButtons(
  model: ReviewCardModel,
  buttons: HTMLElement,
  options: GateOptions = {},
): () => void {
  const { ownerDocument: page } = buttons;
  const timers = options.timers ?? pageTimers;
  const window = page.defaultView ?? globalThis.window;
  const framed = !options.allowFraming && isFramedByOthers(window);
  const observes = "IntersectionObserver" in window;
  let inView = !observes;
  let covered = false;
  let cancel: () => void = () => {};

  const place = (): DOMRect => buttons.getBoundingClientRect();
  const tell = (): void =>
    model.setPresence(framed ? "framed" : !inView || page.hidden ? "away" : covered ? "covered" : "visible");
  // Where the buttons stood two samples ago: a press on what has just moved there was meant for something else, unless the
  // pointer followed it.
  let before = place();
  let last = before;
  const follow = (): void => {
    before = place();
    last = before;
  };
  const startAgain = (): void => {
    model.setPresence("away");
    tell();
  };
  const sample = (): void => {
    before = last;
    last = place();
    const view = model.view();
    if (isMoved(before, last) && isOpen(view) && !view.armed) startAgain();
    cancel = timers.after(sampleMs, sample);
  };
  const observer = observes
    ? new IntersectionObserver(
        (entries) => {
          const entry = entries.at(-1) as IntersectionObserverEntry & { readonly isVisible?: boolean };
          inView = entry.isIntersecting;
          covered = entry.isVisible === false;
          tell();
        },
        { threshold: 0.5, trackVisibility: true, delay: 100 } as IntersectionObserverInit,
      )
    : null;
  observer?.observe(buttons);
  const ends = [
    listen(page, "visibilitychange", tell),
    listen(buttons, "pointermove", follow, true),
    listen(
      buttons,
      "pointerdown",
      () => {
        if (!isMoved(before, place())) return;
        follow();
        startAgain();
      },
      true,
    ),
  ];
  sample();
  tell();
  return () => {
    observer?.disconnect();
    cancel();
    for (const end of ends) end();
    model.setPresence("away");
  };
}
