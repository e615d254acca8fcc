import type { QueryClient } from "@tanstack/react-query";
import { type CardSession, createCardSession, type SessionOptions } from "./session.ts";

type Credential = SessionOptions["credential"];
type Sessions = Map<Credential, Map<string, CardSession>>;

const sessionsOf = new WeakMap<QueryClient, Sessions>();
// A number stands for the credential in query keys, which end up in developer tools and saved caches.
let lastId = 0;

/** The session of one query client for one server and one credential; the same for every card that asks. */
export function findSession(options: Omit<SessionOptions, "id">): CardSession {
  const { queryClient, credential, baseUrl } = options;
  const sessions: Sessions = sessionsOf.get(queryClient) ?? new Map();
  sessionsOf.set(queryClient, sessions);
  const byServer = sessions.get(credential) ?? new Map<string, CardSession>();
  sessions.set(credential, byServer);
  const found = byServer.get(baseUrl);
  if (found) return found;
  lastId += 1;
  const session = createCardSession({ ...options, id: lastId });
  byServer.set(baseUrl, session);
  return session;
}
