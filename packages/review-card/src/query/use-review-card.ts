import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { FollowOptions } from "../client/events.ts";
import { SessionEndedError, type SessionOptions } from "../client/session.ts";
import type { CardInputs } from "../model.ts";
import { findSession } from "./sessions.ts";

/** Where the card comes from. */
export type UseReviewCardOptions = {
  /** What `/v1/card` is appended to; empty for this page's own origin. */
  readonly baseUrl: string;
  /** A card session token. Give this, or `getToken`. */
  readonly token?: string | undefined;
  /**
   * Asked for a token first and whenever the session has run out. Keep the function (`useCallback`) for as long as the
   * customer stays the same: another function starts another session.
   */
  readonly getToken?: (() => string | Promise<string>) | undefined;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
  /** Default: the page's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often the card is read while the event stream does not run, in milliseconds. Default: 5000. */
  readonly pollMs?: number | undefined;
  readonly follow?: FollowOptions | undefined;
};

/** How the card is kept up to date. */
export type ConnectionStatus = "idle" | "connecting" | "live" | "polling" | "offline" | "ended";

/** What `<ReviewCard>` takes, and how the connection stands. */
export type UseReviewCardResult = CardInputs & {
  readonly status: ConnectionStatus;
};

const longestRetryMs = 15_000;

/**
 * The credential whose session is used. A new function is a new session, but one that is new in every render (written
 * in place) is not: then the latest is asked for the next token, and the session stays.
 */
function useCredential(options: UseReviewCardOptions): SessionOptions["credential"] | undefined {
  const { token, getToken } = options;
  const [held, hold] = useState(() => getToken);
  const seen = useRef({ getToken, changed: false });
  useEffect(() => {
    const changed = seen.current.getToken !== getToken;
    if (changed && !seen.current.changed) hold(() => getToken);
    seen.current = { getToken, changed };
  });
  return token ?? held;
}

const noCredential = (): Promise<string> =>
  Promise.reject(new Error("The review card has no credential: give useReviewCard a token or getToken."));

/** The card of one conversation, kept up to date: `<ReviewCard {...useReviewCard({ baseUrl, getToken })} />`. */
export function useReviewCard(options: UseReviewCardOptions): UseReviewCardResult {
  const { baseUrl, getToken, fetch, follow, pollMs = 5000 } = options;
  const queryClient = useQueryClient();
  const credential = useCredential(options);
  const session = findSession({
    queryClient,
    baseUrl,
    credential: credential ?? noCredential,
    fetch,
    follow,
  });
  const enabled = (options.enabled ?? true) && credential !== undefined;
  const status = useSyncExternalStore(session.subscribe, session.status, session.status);
  useEffect(() => {
    if (typeof credential !== "string" && getToken) session.use(getToken);
  }, [session, credential, getToken]);
  useEffect(() => (enabled ? session.retain() : undefined), [session, enabled]);
  const query = useQuery({
    queryKey: session.queryKey,
    queryFn: session.read,
    enabled: enabled && status.ended === null,
    networkMode: "always",
    staleTime: 0,
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
    refetchOnReconnect: "always",
    refetchInterval: status.live ? false : pollMs,
    retry: (_, error) => !(error instanceof SessionEndedError),
    retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, longestRetryMs),
  });
  return {
    card: query.data?.card,
    serverTime: query.data?.serverTime,
    online: status.reachable,
    fresh: status.fresh,
    ended: status.ended,
    deciding: status.deciding,
    ...session.commands,
    status: connectionOf(status, enabled),
  };
}

function connectionOf(
  status: {
    readonly live: boolean;
    readonly reachable: boolean;
    readonly fresh: boolean;
    readonly ended: unknown;
  },
  enabled: boolean,
): ConnectionStatus {
  if (status.ended !== null) return "ended";
  if (!enabled) return "idle";
  if (status.live) return "live";
  if (!status.reachable) return "offline";
  return status.fresh ? "polling" : "connecting";
}
