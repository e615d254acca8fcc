import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { CardView } from "../model/view.ts";
import type { ReviewCardModel } from "../model.ts";
import { isReceipt } from "./head.tsx";
import { changeButtonId } from "./row.tsx";

// On a server there is nothing to lay out, and React 18 says so with a warning.
export const useEffectBeforePaint: typeof useLayoutEffect =
  typeof document === "undefined" ? useEffect : useLayoutEffect;

type Root = RefObject<HTMLElement | null>;

// Inside a shadow root the document sees only the host; the tree the card stands in knows its own.
const treeOf = (root: Root): Document | undefined => root.current?.getRootNode() as Document | undefined;
const isInside = (root: Root): boolean =>
  root.current?.contains(treeOf(root)?.activeElement ?? null) === true;

/**
 * The model's view. When a change takes the focused element away, focus goes on inside the card: to the heading of a
 * receipt, or back to the button that opened an edit. Focus that was elsewhere on the page stays there.
 */
export function useView(model: ReviewCardModel, root: Root, id: string): CardView {
  const wasInside = useRef(false);
  const before = useRef<CardView>(null);
  const subscribe = useCallback(
    (listener: () => void) =>
      model.subscribe(() => {
        wasInside.current = isInside(root);
        listener();
      }),
    [model, root],
  );
  const view = useSyncExternalStore(subscribe, model.view, model.view);
  useEffectBeforePaint(() => {
    const last = before.current;
    before.current = view;
    if (!last || !wasInside.current || last.state === view.state) return;
    if (isInside(root) && !isReceipt(view)) return;
    const opened = "opened" in last && !("opened" in view) ? last.opened : "";
    const find = (own: string): HTMLElement | null | undefined => treeOf(root)?.getElementById(own);
    (find(changeButtonId(id, opened)) ?? find(`${id}-title`))?.focus();
  }, [view, root, id]);
  return view;
}
