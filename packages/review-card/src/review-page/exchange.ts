/** What became of a review code. */
export type Exchange =
  | { readonly type: "session"; readonly token: string; readonly mayConfirm: boolean }
  /** Used before, or too old: this link opens nothing any more. */
  | { readonly type: "gone" }
  /** No answer that says anything of the code; it may have been used up all the same. */
  | { readonly type: "unreachable" };

/** Exchanges the code for a card session. Opening a session decides nothing. */
export async function exchangeCode(
  fetch: typeof globalThis.fetch,
  baseUrl: string,
  code: string,
): Promise<Exchange> {
  try {
    const response = await fetch(`${baseUrl}/v1/review-sessions`, {
      method: "POST",
      credentials: "same-origin", // a host may know by its own cookie who looks
      cache: "no-store",
      referrerPolicy: "no-referrer",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ code }),
    });
    if (response.status === 429 || response.status >= 500) return { type: "unreachable" };
    if (!response.ok) return { type: "gone" };
    const { token, mayConfirm } = (await response.json()) as { readonly [name: string]: unknown };
    if (typeof token !== "string") return { type: "unreachable" };
    return { type: "session", token, mayConfirm: mayConfirm === true };
  } catch {
    return { type: "unreachable" };
  }
}
