import { type RefObject, useEffect, useRef } from "react";
import type { CardView } from "../model/view.ts";
import type { ReviewCardModel } from "../model.ts";
import { useEffectBeforePaint } from "../use-review-card-model.ts";
import { isReceipt } from "./head.tsx";
import { changeButtonId } from "./row.tsx";

type Root = RefObject<HTMLElement | null>;

// Inside a shadow root the document sees only the host; the tree the card stands in knows its own.
const treeOf = (root: Root): Document | undefined => root.current?.getRootNode() as Document | undefined;
const isInside = (root: Root): boolean =>
  root.current?.contains(treeOf(root)?.activeElement ?? null) === true;

/**
 * When a change takes the focused element away, focus goes on inside the card: to the heading of a receipt, or back to
 * the button that opened an edit. Focus that was elsewhere on the page stays there.
 */
export function useFocus(model: ReviewCardModel, view: CardView, root: Root, id: string): void {
  const wasInside = useRef(false);
  const before = useRef<CardView>(null);
  useEffect(
    () =>
      model.subscribe(() => {
        wasInside.current = isInside(root);
      }),
    [model, root],
  );
  useEffectBeforePaint(() => {
    const last = before.current;
    before.current = view;
    if (!last || !wasInside.current) return;
    if (isInside(root) && (last.state === view.state || !isReceipt(view))) return;
    const opened = "opened" in last && !("opened" in view) ? last.opened : "";
    const find = (own: string): HTMLElement | null | undefined => treeOf(root)?.getElementById(own);
    (find(changeButtonId(id, opened)) ?? find(`${id}-title`))?.focus();
  }, [view, root, id]);
}
