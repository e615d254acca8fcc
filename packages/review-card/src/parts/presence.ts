import { type RefObject, useEffect, useSyncExternalStore } from "react";
import type { ReviewCardModel } from "../model.ts";

/** Listens until the returned function is called. */
function listen(target: EventTarget, name: string, run: (event: Event) => void): () => void {
  target.addEventListener(name, run);
  return () => target.removeEventListener(name, run);
}

function subscribe(run: () => void): () => void {
  const ends = ["online", "offline"].map((name) => listen(window, name, run));
  return () => {
    for (const end of ends) end();
  };
}

/** Whether the browser thinks that it has a connection. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

/** Tells the model whether the buttons can be seen: in a page that is shown, more than half of them in view. */
export function usePresence(
  model: ReviewCardModel,
  root: RefObject<HTMLElement | null>,
  open: boolean,
): void {
  useEffect(() => {
    const buttons = open && root.current?.querySelector(".cs-actions");
    if (!buttons) return;
    let inView = !("IntersectionObserver" in window);
    const tell = (): void => model.setVisible(inView && !document.hidden);
    const observer = inView
      ? null
      : new IntersectionObserver(
          (entries) => {
            inView = entries.at(-1)?.isIntersecting === true;
            tell();
          },
          { threshold: 0.5 },
        );
    observer?.observe(buttons);
    const end = listen(document, "visibilitychange", tell);
    tell();
    return () => {
      observer?.disconnect();
      end();
      model.setVisible(false);
    };
  }, [model, root, open]);
}

/** Starts the model's clocks, and has it ask again when the page comes back from the browser's memory. */
export function useConnection(model: ReviewCardModel): void {
  useEffect(() => {
    const disconnect = model.connect();
    const end = listen(window, "pageshow", (event) => {
      if ((event as PageTransitionEvent).persisted) model.recheck();
    });
    return () => {
      end();
      disconnect();
    };
  }, [model]);
}
