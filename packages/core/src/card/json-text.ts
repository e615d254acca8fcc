import type { Json, JsonObject } from "../base/json.ts";
import { visible } from "../base/text.ts";

const quote = (text: string): string => visible(JSON.stringify(text));

/**
 * JSON with members in order of name, so that equal values read alike, and invisible characters made visible.
 * `pretty` breaks lines and indents by two spaces.
 */
export function jsonText(value: Json, layout: "pretty" | "line", indent = ""): string {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: Json) => jsonText(item, layout, inner))
    : Object.keys(value)
        .sort()
        .map((key) => `${quote(key)}: ${jsonText((value as JsonObject)[key] as Json, layout, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  if (layout === "line") return isList ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
