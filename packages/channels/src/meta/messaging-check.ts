import type { SetupContext, SetupProblem } from "@countersign/core";
import { problem } from "../base/problem.ts";
import { at, idAt, listAt } from "../base/walk.ts";
import {
  type About,
  askGraph,
  checkApp,
  type GraphSetup,
  missingFields,
  problemsOf,
  seeAccount,
} from "./setup.ts";

/** A page or Instagram account whose setup is checked. */
export type MessagingSetup = GraphSetup & { readonly accountId: string };

type Kind = {
  readonly about: About;
  /** What is asked of `me`, and where in the answer the account's id stands. */
  readonly fields: string;
  readonly idPath: readonly string[];
  /** Whether an account's subscription has fields of its own. */
  readonly ownFields: boolean;
  readonly object: "page" | "instagram";
};

const seeing = (permission: string): string =>
  `compare the id with the one that Meta shows, and make the access token with ${permission}`;

const needed = ["messages", "messaging_postbacks"];

const page: Kind = {
  about: { thing: "the page", where: "pageId", next: seeing("pages_manage_metadata") },
  fields: "id",
  idPath: ["id"],
  ownFields: true,
  object: "page",
};

const instagramPage: Kind = {
  about: { thing: "the Instagram account", where: "accountId", next: seeing("instagram_basic") },
  fields: "id,instagram_business_account",
  idPath: ["instagram_business_account", "id"],
  ownFields: false,
  object: "instagram",
};

const instagramAccount: Kind = {
  about: { thing: "the Instagram account", where: "accountId", next: seeing("instagram_business_basic") },
  fields: "user_id",
  idPath: ["user_id"],
  ownFields: true,
  object: "instagram",
};

type Me = { readonly token: string; readonly problems: readonly SetupProblem[] };

async function seeMe(
  setup: MessagingSetup,
  kind: Kind,
  signal: AbortSignal | undefined,
): Promise<Me | readonly SetupProblem[]> {
  const { problems, found } = await seeAccount(setup, `me?fields=${kind.fields}`, kind.about, signal);
  if (found === undefined) return problems;
  if (idAt(found.json, ...kind.idPath) === setup.accountId) return { token: found.token, problems };
  const { thing, where } = kind.about;
  const wrong = problem(
    `the access token is not one of ${thing} that is configured`,
    `accessToken, or ${where}`,
    `make the access token for ${thing}, or correct the id`,
  );
  return [...problems, wrong];
}

async function checkSubscribed(
  setup: MessagingSetup,
  { about, ownFields }: Kind,
  as: {
    readonly token: string;
    readonly appId: string | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly SetupProblem[]> {
  const answer = await askGraph(setup, "me/subscribed_apps", { ...as, about });
  if (answer.kind !== "json") return problemsOf(answer);
  const apps = listAt(answer.json, "data");
  // Without the app's id, the only one that is there is taken for ours.
  const ours = as.appId === undefined ? apps[0] : apps.find((one) => idAt(one, "id") === as.appId);
  if (ours === undefined) {
    return [
      problem(
        `the app is not subscribed to ${about.thing}: nothing that customers write arrives`,
        "the subscribed apps at Meta",
        `subscribe it: POST /me/subscribed_apps?subscribed_fields=${needed.join()} with the access token`,
      ),
    ];
  }
  const fields = at(ours, "subscribed_fields");
  const whose = `the subscription of ${about.thing}`;
  return ownFields && Array.isArray(fields) ? missingFields(fields, needed, whose) : [];
}

async function checkWithApp(
  setup: MessagingSetup,
  kind: Kind,
  { webhookPath, signal }: SetupContext,
): Promise<readonly SetupProblem[]> {
  const me = await seeMe(setup, kind, signal);
  if (!("token" in me)) return me;
  const needs = { object: kind.object, fields: needed, webhookPath };
  const app = await checkApp(setup, me.token, needs, signal);
  const as = { token: me.token, appId: app.appId, signal };
  return [...me.problems, ...app.problems, ...(await checkSubscribed(setup, kind, as))];
}

/**
 * Checks a page: tokens, version, page, the app's webhook with its fields and path, and the fields that the page is
 * subscribed to: only what app and page are both subscribed to is delivered.
 *
 * Meta, "Page subscribed_apps" and "App subscriptions", read 2026-12-01. Whether the verify token is the one that was
 * entered, and whether the host of the webhook is this server's, nobody tells.
 */
export async function checkPage(
  setup: MessagingSetup,
  context: SetupContext,
): Promise<readonly SetupProblem[]> {
  return await checkWithApp(setup, page, context);
}

/**
 * Checks an Instagram account behind a page, with Facebook's login: as {@link checkPage}, but the fields are the app's alone.
 *
 * Meta, "Set up Instagram Webhooks" (20 Oct 2026): fields cannot be chosen for an account; the app must be subscribed to its page.
 */
export async function checkInstagramPage(
  setup: MessagingSetup,
  context: SetupContext,
): Promise<readonly SetupProblem[]> {
  return await checkWithApp(setup, instagramPage, context);
}

/**
 * Checks an Instagram account with Instagram's login: tokens, version, account, and that the app is subscribed to it.
 *
 * Meta, "Get Started" (2 Dec 2024) and "Set up Instagram Webhooks" (20 Oct 2026), read 2026-12-01. The app's own webhook, its
 * fields, its address and its secret are shown in the app's dashboard only: no documented request tells them to an
 * Instagram token. Where an account's answer names fields, they are checked.
 */
export async function checkInstagram(
  setup: MessagingSetup,
  { signal }: SetupContext,
): Promise<readonly SetupProblem[]> {
  const me = await seeMe(setup, instagramAccount, signal);
  if (!("token" in me)) return me;
  const as = { token: me.token, appId: undefined, signal };
  return [...me.problems, ...(await checkSubscribed(setup, instagramAccount, as))];
}
