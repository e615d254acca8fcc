import { characters, type Limits } from "../render/limits.ts";

/**
 * What a WhatsApp business number takes. Meta, "Interactive reply buttons" (May 2026): body 1024, one to three buttons of
 * 20. "Text messages": 4096. About one message in six seconds to one person: so one text and one prompt, no more.
 */
export const limits: Limits = {
  prompt: characters(1024),
  text: characters(4096),
  details: 1,
  label: 20,
  markup: "*_~`",
  buttonless: false,
};
