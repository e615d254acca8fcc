import type { Limits } from "../render/limits.ts";

/**
 * What an Instagram account takes. Meta, "Button template" (Apr and June 2026): up to three buttons of 20; the text of 640
 * is what others found. Plain text: 1000 bytes of UTF-8, and that much holds a template too. Nothing formats. Clients on
 * desktop and web show no buttons (Apr 2026).
 */
export const limits: Limits = {
  prompt: { characters: 640, bytes: 1000 },
  text: { characters: 1000, bytes: 1000 },
  details: 4,
  label: 20,
  markup: "",
  buttonless: true,
};
