import type { ChatView } from "../bot/bot-app.ts";
import type { Person } from "../bot/chat-log.ts";
import type { WireJournal } from "../bot/countersign-api.ts";
import type { Behaviour } from "../shop/behaviour.ts";

/** Asks the shop's backend. Throws what it says when it does not do it. */
export async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`/bot${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer & { detail?: string; reason?: string };
  if (!response.ok) throw new Error(answer.detail ?? answer.reason ?? "The shop's backend did not do it.");
  return answer;
}

/** A text as one part of a path. */
export const part: (text: string) => string = encodeURIComponent;

/** A journal and whether its chain holds. */
export type CheckedJournal = WireJournal & { readonly intact: boolean };

/** The shop's own backend. It holds the keys; the page has none. */
export const backend = {
  open: (conversationId: string): Promise<{ person: Person | null }> =>
    ask("POST", "/conversations", { conversationId }),
  chat: (conversationId: string, as: Person | null): Promise<ChatView> =>
    ask("GET", `/conversations/${part(conversationId)}?as=${as ?? ""}`),
  say: (conversationId: string, as: Person | null, text: string): Promise<ChatView> =>
    ask("POST", "/messages", { conversationId, as, text }),
  signIn: (conversationId: string, person: Person | null): Promise<{ person: Person | null }> =>
    ask("POST", "/customer", { conversationId, person }),
  session: (
    conversationId: string,
    as: Person | null,
    timeZone: string,
  ): Promise<{ token: string; expiresAt: string }> =>
    ask("POST", "/session", { conversationId, as, locale: "en-GB", timeZone }),
  journal: (writeId: string): Promise<CheckedJournal> => ask("GET", `/journal?writeId=${part(writeId)}`),
  resolve: (writeId: string, outcome: "applied" | "not_applied"): Promise<{ resolved: boolean }> =>
    ask("POST", "/resolve", { writeId, outcome }),
  behaviour: (conversationId: string): Promise<Behaviour> =>
    ask("GET", `/shop/behaviour?conversationId=${part(conversationId)}`),
  setBehaviour: (conversationId: string, behaviour: Behaviour): Promise<Behaviour> =>
    ask("PUT", "/shop/behaviour", { conversationId, ...behaviour }),
  finishAccepted: (conversationId: string): Promise<{ finished: number }> =>
    ask("POST", "/shop/finish", { conversationId }),
  reprice: (conversationId: string): Promise<unknown> => ask("POST", "/shop/reprice", { conversationId }),
  resetShop: (): Promise<{ reset: true }> => ask("POST", "/shop/reset", {}),
} as const;
