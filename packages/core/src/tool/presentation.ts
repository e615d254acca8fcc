import type { Json } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";

/** A text of the tool's definition: one for all, or one per BCP 47 locale (`{ en: "…", es: "…" }`). */
export type Text = string | { readonly [locale: string]: string };

/** How a value is shown. */
export type Format =
  | "text"
  | "multiline"
  | "number"
  | "money"
  | "percent"
  | "date"
  | "datetime"
  | "boolean"
  | "enum"
  | "email"
  | "phone"
  | "url"
  | "masked"
  | "list"
  | "json";

/** A choice of an enumerated value, with its human label. */
export type Option = { readonly value: string | number | boolean; readonly label: Text };

/** How one value is shown, wherever it comes from. */
export type Display = {
  readonly label: Text;
  /** Default: from the JSON Schema's type. */
  readonly format?: Format;
  /** Money: an ISO 4217 code, or a pointer (`/currency`) to the argument that holds it. */
  readonly currency?: string;
  /** Money: whether the number counts minor units (cents, the default) or major ones. */
  readonly unit?: "minor" | "major";
  readonly options?: readonly Option[];
  /** What is shown where there is no value. Default: an em dash. */
  readonly emptyText?: Text;
};

/** One row of the card: an argument, named by a JSON pointer or its shorthand (`orderId`, `address.city`). */
export type PresentationField = Display & {
  readonly argument: string;
  /** Whether the customer may change it. Default: false. */
  readonly editable?: boolean;
  readonly help?: Text;
};

/** One row of the receipt: a value of the result, or an argument. */
export type ReceiptField = Display & ({ readonly result: string } | { readonly argument: string });

/** The tool that takes back what this one did, proposed like any other write. */
export type Undo = {
  readonly tool: string;
  readonly arguments: {
    readonly [name: string]: Json | { readonly result: string } | { readonly argument: string };
  };
  readonly label: Text;
  readonly note?: Text;
};

/** What the customer is shown before and after a write. */
export type Presentation = {
  readonly title?: Text;
  readonly description?: Text;
  /** At most 20 UTF-16 units, other than the decline label. */
  readonly confirmLabel?: Text;
  readonly declineLabel?: Text;
  readonly fields?: readonly PresentationField[];
  /** Arguments that are named on the card without their value. */
  readonly omit?: readonly string[];
  readonly warnings?: readonly Text[];
  readonly reversible?: boolean;
  readonly receipt?: {
    readonly title?: Text;
    readonly fields?: readonly ReceiptField[];
    readonly undo?: Undo;
  };
};

/** A field whose pointer was resolved in the input schema. */
export type ResolvedField = Omit<PresentationField, "argument" | "editable" | "format"> & {
  readonly argument: Pointer;
  readonly editable: boolean;
  readonly format: Format;
  readonly required: boolean;
  readonly schema: JsonSchema;
};

/** A presentation that was checked against the tool's input schema: every pointer resolves, every text is there. */
export type ResolvedPresentation = {
  readonly title: Text;
  readonly description: Text | undefined;
  /** Undefined: the card's own localised Confirm and Cancel. */
  readonly confirmLabel: Text | undefined;
  readonly declineLabel: Text | undefined;
  readonly fields: readonly ResolvedField[];
  readonly omit: readonly Pointer[];
  readonly warnings: readonly Text[];
  readonly reversible: boolean | null;
  readonly receipt: {
    readonly title: Text | undefined;
    readonly fields: readonly ReceiptField[];
    readonly undo: Undo | undefined;
  };
};
