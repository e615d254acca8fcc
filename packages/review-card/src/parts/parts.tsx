import type { Card, CardField } from "@countersign/core/card";
import type { ComponentType, JSX, ReactNode } from "react";

/** A part that stands around what the card would show in its place. */
type Around = { readonly card: Card; readonly children: ReactNode };

/** What a row is given: a label, and what stands beside it. */
export type RowProps = {
  readonly label: ReactNode;
  /** The argument that is sent; missing for rows of another kind. */
  readonly field?: CardField | undefined;
  /** A second class. */
  readonly kind?: string;
  readonly children: ReactNode;
};

/**
 * The parts of a card that a host may draw itself. Some get the attributes of the element they stand for, handlers and
 * all; the others get what the card would show as their `children`. None of them decides: a press goes through the model,
 * which does nothing before the card was seen, read and pressed by a person.
 */
export type CardParts = {
  readonly Root?: ComponentType<JSX.IntrinsicElements["section"]>;
  readonly Title?: ComponentType<JSX.IntrinsicElements["h3"]>;
  readonly Field?: ComponentType<RowProps>;
  readonly Effects?: ComponentType<Around>;
  readonly Details?: ComponentType<Around>;
  readonly Warnings?: ComponentType<Around>;
  readonly Confirm?: ComponentType<JSX.IntrinsicElements["button"]>;
  readonly Decline?: ComponentType<JSX.IntrinsicElements["button"]>;
  readonly Receipt?: ComponentType<Around>;
};

/** What the card shows in one place, inside the host's own part where there is one. */
export const around = (
  Part: ComponentType<Around> | undefined,
  card: Card,
  children: ReactNode,
): ReactNode => (Part && children ? <Part card={card}>{children}</Part> : children);
