import { type AppSubscription, hasFault, type Surroundings } from "../platform.ts";
import type { ApiAnswer, ApiRequest } from "../wire.ts";
import { type GraphKeys, graphPath, isAppToken, tokenOf } from "./graph.ts";

/** An answer of the Graph API. */
export function found(json: unknown): ApiAnswer {
  return { status: 200, json };
}

/** The fields that are subscribed to, without the one that is left out while that fault is on. */
export function activeFields(
  fields: readonly string[],
  leftOut: string,
  { switches }: Surroundings,
): readonly string[] {
  return hasFault(switches.now(), "field") ? fields.filter((field) => field !== leftOut) : fields;
}

/** The app's webhook for an account's kind of object; another server's while that fault is on. */
export function appSubscription(
  appId: string,
  object: string,
  fields: readonly string[],
  { switches, connectedUrl }: Surroundings,
): AppSubscription | undefined {
  const url = connectedUrl();
  if (url === undefined) return undefined;
  const callbackUrl = hasFault(switches.now(), "address") ? "https://other.example/hook" : url;
  return { appId, object, fields, callbackUrl };
}

/** The secret that webhooks are signed with; another one while that fault is on. */
export function signingSecret({ appSecret }: GraphKeys, { switches }: Surroundings): string {
  return hasFault(switches.now(), "secret") ? `another_${appSecret}` : appSecret;
}

/** What the Graph API answers about the app itself; undefined for every other request. */
export function aboutApp(request: ApiRequest, keys: GraphKeys, around: Surroundings): ApiAnswer | undefined {
  const { node, edge } = graphPath(request.path) ?? {};
  if (request.method !== "GET") return undefined;
  if (node === "app" && edge === "") return found({ id: keys.appId, name: "The shop's app" });
  if (node !== keys.appId || edge !== "subscriptions" || !isAppToken(tokenOf(request), keys))
    return undefined;
  const data = around.subscriptions(keys.appId).map(({ object, callbackUrl, fields }) => ({
    object,
    callback_url: callbackUrl,
    active: true,
    fields: fields.map((name) => ({ name, version: "v26.0" })),
  }));
  return found({ data });
}
