import type { SetupProblem } from "@countersign/core";
import { askJson, type Posted } from "../base/post.ts";
import { distinct, leadsTo, problem, unreached } from "../base/problem.ts";
import { at, idAt, listAt, textAt } from "../base/walk.ts";

/** Where and as whom the Graph API is asked about a setup. */
export type GraphSetup = {
  /** The account's node at the Graph API. */
  readonly url: string;
  readonly accessTokens: readonly [string, ...string[]];
  readonly appSecrets: readonly [string, ...string[]];
};

/** What is asked for, in words for the person who reads the problem. */
export type About = {
  /** Such as `the page`. */
  readonly thing: string;
  /** The option that names it. */
  readonly where: string;
  /** What to do where it is not seen. */
  readonly next: string;
};

function baseOf({ url }: GraphSetup): string {
  return url.slice(0, url.lastIndexOf("/"));
}

type Asked =
  | { readonly kind: "json"; readonly json: unknown; readonly served: string | null }
  | { readonly kind: "token" }
  | { readonly kind: "problem"; readonly problem: SetupProblem };

const unknownPath = 2500;

function problemOf(status: number, error: unknown, about: About): SetupProblem {
  const code = Number(idAt(error, "code") ?? Number.NaN);
  if (code === unknownPath) {
    return problem(
      "the Graph API knows no such version",
      "graphVersion",
      "write one that Meta's changelog lists, such as v26.0",
    );
  }
  if (code === 3 || code === 10 || (code >= 200 && code <= 299)) {
    return problem(`the access token may not see ${about.thing}`, "accessToken", about.next);
  }
  if (code === 803 || (code === 100 && idAt(error, "error_subcode") === "33")) {
    const what = `${about.thing} does not exist, or the access token may not see it`;
    return problem(what, about.where, about.next);
  }
  return problem(
    `Meta could not tell about ${about.thing} (HTTP ${status}${Number.isNaN(code) ? "" : `, code ${code}`})`,
    "Meta",
    "look the code up at Meta, or check again later",
  );
}

function asked(posted: Posted, about: About): Asked {
  if (posted.kind !== "answer") {
    return { kind: "problem", problem: unreached("the Graph API", posted.detail, "graphBaseUrl") };
  }
  const { status, json, headers } = posted;
  const error = at(json, "error");
  if (status >= 200 && status < 300 && error === undefined) {
    return { kind: "json", json, served: headers.get("facebook-api-version") };
  }
  if (idAt(error, "code") === "190") return { kind: "token" };
  return { kind: "problem", problem: problemOf(status, error, about) };
}

/** Asks the Graph API for a node or edge. */
export async function askGraph(
  setup: GraphSetup,
  path: string,
  as: { readonly token: string; readonly about: About; readonly signal: AbortSignal | undefined },
): Promise<Asked> {
  const headers = { authorization: `Bearer ${as.token}` };
  return asked(await askJson(`${baseOf(setup)}/${path}`, { headers, signal: as.signal }), as.about);
}

const refusedToken = (index: number): SetupProblem =>
  problem(
    "Meta takes the access token no longer, or never did",
    index === 0 ? "accessToken" : `accessToken[${index}]`,
    "make a new one at Meta",
  );

/** Why a question has no answer. */
export function problemsOf(answer: Exclude<Asked, { readonly kind: "json" }>): readonly SetupProblem[] {
  return [answer.kind === "problem" ? answer.problem : refusedToken(0)];
}

/** What the first access token that works was answered, and what is wrong with the others. */
export type SeenAccount = {
  readonly problems: readonly SetupProblem[];
  readonly found: { readonly json: unknown; readonly token: string } | undefined;
};

/**
 * Asks for the account with each access token.
 *
 * A version that has ended is served by the oldest one that has not (Meta, "Platform Versioning", read 2026-12-01); which
 * one that is stands in the header `facebook-api-version`.
 */
export async function seeAccount(
  setup: GraphSetup,
  path: string,
  about: About,
  signal: AbortSignal | undefined,
): Promise<SeenAccount> {
  const problems: SetupProblem[] = [];
  let found: SeenAccount["found"];
  const [, version] = /([^/]*)$/.exec(baseOf(setup)) ?? [];
  for (const [index, token] of setup.accessTokens.entries()) {
    const answer = await askGraph(setup, path, { token, about, signal });
    if (answer.kind === "token") problems.push(refusedToken(index));
    else if (answer.kind === "problem") problems.push(answer.problem);
    else {
      found ??= { json: answer.json, token };
      if (answer.served !== null && answer.served !== version) {
        problems.push(
          problem(
            `Graph API ${version} has ended: Meta answers with ${answer.served}`,
            "graphVersion",
            "set it to a version that Meta's changelog still lists, or leave it out",
          ),
        );
      }
    }
  }
  return { problems: distinct(problems), found };
}

/** What one needs of an app's webhooks. */
export type AppNeeds = {
  readonly object: "whatsapp_business_account" | "page" | "instagram";
  readonly fields: readonly string[];
  /** The path that they are to be delivered to; null where another address than the app's counts. */
  readonly webhookPath: string | null;
};

const ofApp: About = {
  thing: "the app of the access token",
  where: "accessToken",
  next: "make the access token with an app of your own",
};

/** Says which of the fields that are needed are left out. */
export function missingFields(
  fields: readonly unknown[],
  needed: readonly string[],
  whose: string,
): readonly SetupProblem[] {
  return needed
    .filter((name) => !fields.some((field) => field === name || textAt(field, "name") === name))
    .map((name) => problem(`${whose} leaves out ${name}`, `${whose} at Meta`, `subscribe to ${name}`));
}

/** A webhook that goes to another address than this server's. */
export function elsewhere(whose: string, webhookPath: string): SetupProblem {
  const next = `set it to the address of this server with the path ${webhookPath}`;
  return problem(`${whose} goes to another address`, `${whose} at Meta`, next);
}

function checkSubscription(json: unknown, needs: AppNeeds): readonly SetupProblem[] {
  const whose = `the app's webhook for ${needs.object}`;
  const ours = listAt(json, "data").find((one) => textAt(one, "object") === needs.object);
  if (ours === undefined || at(ours, "active") === false) {
    return [
      problem(`${whose} is not there or not active`, "the app's webhooks at Meta", "add or activate it"),
    ];
  }
  const isElsewhere =
    needs.webhookPath !== null && !leadsTo(textAt(ours, "callback_url") ?? "", needs.webhookPath);
  return [
    ...(isElsewhere ? [elsewhere(whose, needs.webhookPath)] : []),
    ...missingFields(listAt(ours, "fields"), needs.fields, whose),
  ];
}

/**
 * Checks the webhooks of the app that an access token is of, and its secret. Also tells the app's id, where it is known.
 *
 * Meta, "App subscriptions" (`GET /{app-id}/subscriptions` with the app's own token, read 2026-12-01).
 */
export async function checkApp(
  setup: GraphSetup,
  token: string,
  needs: AppNeeds,
  signal: AbortSignal | undefined,
): Promise<{ readonly appId: string | undefined; readonly problems: readonly SetupProblem[] }> {
  const app = await askGraph(setup, "app?fields=id", { token, about: ofApp, signal });
  const appId = app.kind === "json" ? idAt(app.json, "id") : undefined;
  if (app.kind !== "json") return { appId, problems: problemsOf(app) };
  if (appId === undefined) {
    const unnamed = problem(
      "Meta does not say which app the access token is of: its webhooks were not checked",
      ofApp.where,
      ofApp.next,
    );
    return { appId, problems: [unnamed] };
  }
  for (const secret of setup.appSecrets) {
    const as = { token: `${appId}|${secret}`, about: ofApp, signal };
    const subscriptions = await askGraph(setup, `${appId}/subscriptions`, as);
    if (subscriptions.kind === "problem") return { appId, problems: [subscriptions.problem] };
    if (subscriptions.kind === "json") {
      return { appId, problems: checkSubscription(subscriptions.json, needs) };
    }
  }
  const wrong = problem(
    "the app secret is not that of the app that the access token is of: webhooks would be refused",
    "appSecret",
    "copy the secret of that app from its settings at Meta",
  );
  return { appId, problems: [wrong] };
}
