import { characters, type Limits } from "../render/limits.ts";

/**
 * What WhatsApp takes through Twilio. Twilio, "twilio/quick-reply" (read 2026-11-30): body 1024, three buttons in a session,
 * titles of 20, ids of 128. `Body` of a plain message: 1600. The rate to one person is WhatsApp's own.
 */
export const limits: Limits = {
  prompt: characters(1024),
  text: characters(1600),
  details: 1,
  label: 20,
  markup: "*_~`",
  buttonless: false,
};

/** Variables that one content can have (Twilio, "Using variables with Content API", read 2026-11-30). */
export const mostVariables = 100;
