/** The payloads of a prompt's two buttons: opaque, printable ASCII, at most 128 bytes, without personal data. */
export type PromptTokens = { readonly confirm: string; readonly decline: string };

/** A token that came back. */
export type PromptToken = { readonly promptId: string; readonly decision: "confirm" | "decline" };

// The narrowest platform keeps 128 bytes of a payload; the id leaves room for the frame around it.
const shape = /^cs1\.([A-Za-z0-9_-]{1,100})\.([cx])$/;

/** The two tokens of a prompt. The id must be unguessable (128 random bits) and of `A–Z a–z 0–9 _ -`. */
export function promptTokens(promptId: string): PromptTokens {
  return { confirm: `cs1.${promptId}.c`, decline: `cs1.${promptId}.x` };
}

/** Takes a payload apart; undefined when it is none of ours. Says nothing about whether it counts. */
export function parsePromptToken(payload: string): PromptToken | undefined {
  const [, promptId, answer] = shape.exec(payload) ?? [];
  return promptId === undefined ? undefined : { promptId, decision: answer === "c" ? "confirm" : "decline" };
}
