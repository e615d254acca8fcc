import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { type GateOptions, listen, watchButtons } from "./gate.ts";
import type { CardView } from "./model/view.ts";
import { createReviewCardModel, type ReviewCardModel, type ReviewCardOptions } from "./model.ts";

/** What a card is made from, with or without its own look. */
export type ReviewCardModelOptions = ReviewCardOptions & Pick<GateOptions, "allowFraming">;

/** A card without a look. */
export type HeadlessReviewCard = {
  readonly view: CardView;
  /** Hand the event of a press to `confirm` and `decline`: one that no person made does nothing. */
  readonly model: ReviewCardModel;
  /** The `ref` of the element around both buttons. Nothing arms before half of it has been in view for a moment. */
  readonly buttons: (element: HTMLElement | null) => void;
};

// On a server there is nothing to lay out, and React 18 says so with a warning.
export const useEffectBeforePaint: typeof useLayoutEffect =
  typeof document === "undefined" ? useEffect : useLayoutEffect;

function subscribe(run: () => void): () => void {
  const ends = ["online", "offline"].map((name) => listen(window, name, run));
  return () => {
    for (const end of ends) end();
  };
}

/** Whether the browser thinks that it has a connection. */
const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

/**
 * The review card without its look: the same view, the same requests and the same guarantees as `<ReviewCard>`, which is
 * drawn from it.
 */
export function useReviewCardModel(options: ReviewCardModelOptions): HeadlessReviewCard {
  const online = useOnline();
  const [model] = useState(() => createReviewCardModel(options));
  const unwatch = useRef<() => void>(null);
  const { allowFraming, timers } = options;
  useEffectBeforePaint(() => model.sync({ ...options, online: online && (options.online ?? true) }));
  useEffect(() => {
    const disconnect = model.connect();
    const end = listen<PageTransitionEvent>(window, "pageshow", ({ persisted }) => {
      if (persisted) model.recheck(); // the page comes back from the browser's memory
    });
    return () => {
      end();
      disconnect();
    };
  }, [model]);
  const buttons = useCallback(
    (element: HTMLElement | null) => {
      unwatch.current?.();
      unwatch.current = element && watchButtons(model, element, { allowFraming, timers });
    },
    [model, allowFraming, timers],
  );
  return { view: useSyncExternalStore(model.subscribe, model.view, model.view), model, buttons };
}
