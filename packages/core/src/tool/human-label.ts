import type { Pointer } from "../base/pointer.ts";
import { pathOf, pointerOf } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import { locate } from "./locate-schema.ts";

/** A member name as words: `orderId` → "Order id", `shipping_address` → "Shipping address". */
export function humanise(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_.-]+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text === "" ? name : text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A label for an argument that no author labelled: the schema's `title`, else the name in words, parents first
 * (`Address › City`). What the schema does not declare keeps its name as it was sent.
 */
export function humanLabel(root: JsonSchema, pointer: Pointer): string {
  const path = pathOf(pointer);
  return path
    .map((token, index) => {
      const place = locate(root, pointerOf(path.slice(0, index + 1)));
      if (!place) return token;
      if (typeof place.schema.title === "string" && place.schema.title.trim() !== "")
        return place.schema.title;
      return /^\d+$/.test(token) ? String(Number(token) + 1) : humanise(token);
    })
    .join(" › ");
}
