import type { Person } from "../bot/chat-log.ts";

/** The conversation this tab shows, from its address; a new one where the address names none. */
export function conversationOfTab(): string {
  const here = new URL(window.location.href);
  const named = here.searchParams.get("c");
  if (named !== null && /^[A-Za-z0-9._:-]{1,200}$/.test(named)) return named;
  const fresh = `c-${crypto.randomUUID().slice(0, 8)}`;
  here.searchParams.set("c", fresh);
  window.history.replaceState(null, "", here);
  return fresh;
}

const place = (conversationId: string): string => `signed-in:${conversationId}`;

/** Who this tab signed in as before a reload; undefined for a tab that never did. */
export function rememberedPerson(conversationId: string): Person | null | undefined {
  const kept = window.sessionStorage.getItem(place(conversationId));
  if (kept === "ana" || kept === "ben") return kept;
  return kept === "" ? null : undefined;
}

/** Keeps who this tab is signed in as, for this tab only: like a sign-in that another tab does not share. */
export function rememberPerson(conversationId: string, person: Person | null): void {
  window.sessionStorage.setItem(place(conversationId), person ?? "");
}
