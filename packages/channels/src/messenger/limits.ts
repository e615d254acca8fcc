import { characters, type Limits } from "../render/limits.ts";

/**
 * What a page in Messenger takes. Meta, "Button template" (22 Apr 2026): text 640, one to three buttons; "Postback button"
 * (June 2026): title 20, payload 1000. Plain text: 2000.
 */
export const limits: Limits = {
  prompt: characters(640),
  text: characters(2000),
  details: 3,
  label: 20,
  markup: "*_~`",
  buttonless: false,
};
