import type { QueryClient } from "@tanstack/react-query";
import { type CardSession, createCardSession, type SessionOptions } from "../client/session.ts";
import type { CardSnapshot } from "../client/snapshot.ts";

type Credential = SessionOptions["credential"];

/** A session whose snapshots live in the query cache, under this key. */
export type QuerySession = CardSession & {
  readonly queryKey: readonly ["countersign", "card", string, number];
};

type Sessions = Map<Credential, Map<string, QuerySession>>;

const sessionsOf = new WeakMap<QueryClient, Sessions>();
// A number stands for the credential in query keys, which end up in developer tools and saved caches.
let lastId = 0;

/** The session of one query client for one server and one credential; the same for every card that asks. */
export function findSession(
  options: Omit<SessionOptions, "store"> & { readonly queryClient: QueryClient },
): QuerySession {
  const { queryClient, ...rest } = options;
  const { credential, baseUrl } = options;
  const sessions: Sessions = sessionsOf.get(queryClient) ?? new Map();
  sessionsOf.set(queryClient, sessions);
  const byServer = sessions.get(credential) ?? new Map<string, QuerySession>();
  sessions.set(credential, byServer);
  const found = byServer.get(baseUrl);
  if (found) return found;
  lastId += 1;
  const queryKey = ["countersign", "card", baseUrl, lastId] as const;
  const session = createCardSession({
    ...rest,
    store: {
      get: () => queryClient.getQueryData<CardSnapshot>(queryKey),
      set: (snapshot) => queryClient.setQueryData<CardSnapshot>(queryKey, snapshot),
      outdate: () => void queryClient.invalidateQueries({ queryKey }),
    },
  });
  const made = { ...session, queryKey };
  byServer.set(baseUrl, made);
  return made;
}
