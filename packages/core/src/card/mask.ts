import { visible } from "../base/text.ts";

const address = /^([^@\s])[^@]*@([^@\s]+)$/u;

/**
 * The value with nothing but its last four characters (`•••• 0117`), or an e-mail's first letter and domain
 * (`a•••@mail.example`). Less than eight characters, spaces and punctuation aside, are hidden whole, as four would be most of it.
 */
export function mask(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "••••";
  const text = String(value);
  const email = address.exec(text);
  if (email) return `${visible(email[1] as string)}•••@${visible(email[2] as string)}`;
  const points = [...text.replaceAll(/[\s.()/-]/gu, "")];
  return points.length < 8 ? "••••" : `•••• ${visible(points.slice(-4).join(""))}`;
}
