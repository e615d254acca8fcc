import { type CardEvents, type FollowOptions, followCard } from "./client/events.ts";
import { hasRunOut, parseAnswer } from "./client/parse.ts";
import { createTokens } from "./client/tokens.ts";
import type {
  CardAnswer,
  ConfirmRequest,
  EditRequest,
  RefusalAnswer,
  UnreachableAnswer,
  VersionRequest,
} from "./model/answer.ts";

/** Where the card's server is, and what lets this customer in. */
export type CardClientOptions = {
  /** What `/v1/card` is appended to, such as `https://support.shop.example`; empty for this page's own origin. */
  readonly baseUrl: string;
  /** Default: the page's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How long an answer may take, in milliseconds. Default: 30 000; the server itself waits up to 10 s for an outcome. */
  readonly timeoutMs?: number;
} & (
  | { /** A card session token. */ readonly token: string }
  | {
      /** Asked before the first request, and again when the session has run out. */
      readonly getToken: () => string | Promise<string>;
    }
);

/** What reading the card found; `etag` names what was read. */
export type ReadAnswer =
  | (Extract<CardAnswer, { type: "ok" }> & { readonly etag: string | null })
  | { readonly type: "unchanged" }
  | RefusalAnswer
  | UnreachableAnswer;

/** The customer's side of the wire: one method per request, none of which throws. */
export type CardClient = {
  read(etag?: string | null): Promise<ReadAnswer>;
  edit(request: EditRequest): Promise<CardAnswer>;
  confirm(request: ConfirmRequest): Promise<CardAnswer>;
  decline(request: VersionRequest): Promise<CardAnswer>;
  extend(request: VersionRequest): Promise<CardAnswer>;
  undo(request: { readonly writeId: string }): Promise<CardAnswer>;
  /** Follows the event stream until it is stopped or the session ends, reconnecting as often as it takes. */
  follow(events: CardEvents, options?: FollowOptions): () => void;
};

/** Makes a client of the customer API. Nothing is sent until a method is called. */
export function createCardClient(options: CardClientOptions): CardClient {
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const root = `${options.baseUrl.replace(/\/+$/, "")}/v1/card`;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const tokens = createTokens(options);

  async function request(path: string, init: RequestInit): Promise<Response> {
    const token = await tokens.get();
    const once = (bearer: string): Promise<Response> =>
      send(`${root}${path}`, {
        ...init,
        credentials: "omit",
        cache: "no-store",
        headers: { ...init.headers, authorization: `Bearer ${bearer}` },
      });
    const response = await once(token);
    if (response.status !== 401 || !(await hasRunOut(response))) return response;
    // A refused credential means that nothing was done, so that a newer one may try again.
    const next = await tokens.renew(token);
    return next === null ? response : once(next);
  }

  async function post(path: string, body: object): Promise<CardAnswer> {
    try {
      const response = await request(path, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await parseAnswer(response);
    } catch {
      return { type: "unreachable" };
    }
  }

  const pathOf = (writeId: string, command: string): string => `/${encodeURIComponent(writeId)}/${command}`;

  return {
    async read(etag) {
      try {
        const response = await request("", {
          headers: { accept: "application/json", ...(etag && { "if-none-match": etag }) },
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (response.status === 304) return { type: "unchanged" };
        const answer = await parseAnswer(response);
        return answer.type === "ok" ? { ...answer, etag: response.headers.get("etag") } : answer;
      } catch {
        return { type: "unreachable" };
      }
    },
    edit: ({ writeId, version, values }) => post(pathOf(writeId, "edits"), { version, values }),
    confirm: ({ writeId, version, digest }) => post(pathOf(writeId, "confirm"), { version, digest }),
    decline: ({ writeId, version }) => post(pathOf(writeId, "decline"), { version }),
    extend: ({ writeId, version }) => post(pathOf(writeId, "extend"), { version }),
    undo: ({ writeId }) => post(pathOf(writeId, "undo"), {}),
    follow: (events, follow) =>
      followCard((init) => request("/events", init), events, {
        ...follow,
        renew: async () => (await tokens.renew(await tokens.get())) !== null,
      }),
  };
}
