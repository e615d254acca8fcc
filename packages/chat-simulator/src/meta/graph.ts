import { hasFault, type Surroundings } from "../platform.ts";
import type { ApiAnswer, ApiRequest } from "../wire.ts";
import { badToken } from "./error.ts";

/** A request to the Graph API, taken apart. */
export type GraphPath = { readonly version: string; readonly node: string; readonly edge: string };

/** Version, node and edge of a path such as `/v26.0/4001/messages`; undefined for every other path. */
export function graphPath(path: string): GraphPath | undefined {
  const [, version, node, edge = ""] = /^\/(v\d+\.\d+)\/([^/]+)(?:\/([a-z_]+))?$/.exec(path) ?? [];
  return version === undefined || node === undefined ? undefined : { version, node, edge };
}

/** The token of a request, from its header or query. */
export function tokenOf(request: ApiRequest): string | undefined {
  const [, bearer] = /^(?:Bearer|OAuth) (.+)$/.exec(request.header("authorization") ?? "") ?? [];
  return bearer ?? request.query.get("access_token") ?? undefined;
}

/** What opens the Graph API for an account: its access token, and the app's own of id and secret. */
export type GraphKeys = { readonly accessToken: string; readonly appId: string; readonly appSecret: string };

/** True for the app's own token. */
export function isAppToken(token: string | undefined, { appId, appSecret }: GraphKeys): boolean {
  return token === `${appId}|${appSecret}`;
}

/** Refuses a request without a token that opens this account. */
export function refusedToken(
  request: ApiRequest,
  keys: GraphKeys,
  { switches }: Surroundings,
): ApiAnswer | undefined {
  const token = tokenOf(request);
  if (isAppToken(token, keys)) return hasFault(switches.now(), "secret") ? badToken : undefined;
  return token === keys.accessToken && !hasFault(switches.now(), "token") ? undefined : badToken;
}
