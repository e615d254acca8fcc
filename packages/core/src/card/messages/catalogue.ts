import type { Receipt, WriteState } from "../model.ts";

/** Every sentence of the card that no tool writes, in one language. */
export type Catalogue = {
  /** At most 20 UTF-16 units, like a tool's own label. */
  readonly confirm: string;
  readonly decline: string;
  readonly yes: string;
  readonly no: string;
  /** How far a number may be from the one that is shown; both bounds are shown numbers. */
  between(least: string, most: string): string;
  /** Labels of how many things a write touches, and which. */
  readonly scope: { readonly [what in "add" | "change" | "remove" | "items"]: string };
  /** Titles of receipts: what is known, without the tool's words. */
  readonly receipts: { readonly [outcome in Receipt["outcome"]]: string };
  /** What is being done about an outcome that is not known. */
  readonly checking: string;
  /** What became of the write, in one or two sentences to the customer. */
  readonly states: { readonly [state in WriteState]: string };
  /** What is said in a chat beside prompts and receipts. */
  readonly chat: {
    /** To a tap on what was decided before; what became of it follows. */
    readonly answered: string;
    /** To a tap of somebody whom the prompt was not sent to. */
    readonly notHere: string;
    /** Before a prompt that replaces another one. */
    readonly changed: string;
    readonly tryLater: string;
  };
};
