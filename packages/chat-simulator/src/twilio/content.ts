import { listAt, parsed, textAt } from "../json.ts";
import type { Button, Outgoing } from "../platform.ts";
import type { ApiAnswer } from "../wire.ts";
import type { ApprovedContent } from "./account.ts";
import { twilioError } from "./answer.ts";

type Content = {
  readonly sid: string;
  readonly json: object;
  readonly body: string;
  readonly buttons: readonly { readonly title: string; readonly id: string }[];
  readonly approved: boolean;
};

/** The contents of one account. */
export type Contents = {
  create(body: string): ApiAnswer;
  list(): ApiAnswer;
  fetch(sid: string): ApiAnswer;
  /** A message made of a content and its variables, or why it cannot be made. */
  fill(
    sid: string,
    variables: string | undefined,
  ): Pick<Outgoing, "kind" | "text" | "buttons" | "template"> | ApiAnswer;
};

const invalid = (message: string): ApiAnswer => twilioError(400, 20001, message);

// Twilio, "twilio/quick-reply" (read 2026-11-30).
const titleLimit = 20;
const idLimit = 128;
const bodyLimit = 1024;
const sessionButtons = 3;

function wrongContent(body: string | undefined, actions: readonly unknown[]): ApiAnswer | undefined {
  if (body === undefined || body === "") return invalid("types: twilio/quick-reply needs a body");
  if (actions.length < 1 || actions.length > 10) {
    return invalid("types: twilio/quick-reply needs 1 to 10 actions");
  }
  for (const action of actions) {
    const title = textAt(action, "title") ?? "";
    if (title === "" || title.length > titleLimit) return invalid("types: actions need a title of 1 to 20");
    if ((textAt(action, "id")?.length ?? 0) > idLimit) return invalid("types: an id has at most 128");
  }
  return undefined;
}

function approvedContent({ contentSid, language, text, buttons }: ApprovedContent): Content {
  const actions = buttons.map((button) => ({ type: "QUICK_REPLY", ...button }));
  const types = { "twilio/quick-reply": { body: text, actions } };
  const json = { sid: contentSid, friendly_name: "approved", language, types };
  return { sid: contentSid, json, body: text, buttons, approved: true };
}

function variablesOf(text: string | undefined): ReadonlyMap<string, string> | undefined {
  if (text === undefined) return new Map();
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every(([, one]) => typeof one === "string") ? new Map(entries) : undefined;
}

/** An account's contents; at first the approved ones. */
export function contentsOf(
  accountSid: string,
  approved: readonly ApprovedContent[],
  count: () => number,
): Contents {
  const contents = new Map(approved.map((one) => [one.contentSid, approvedContent(one)]));
  const missing = (sid: string): ApiAnswer =>
    twilioError(404, 20404, `The requested resource /v1/Content/${sid} was not found`);
  return {
    create(text) {
      const body = parsed(text);
      // Other names, such as those of Twilio's own types, are none that the API knows.
      const type = "twilio/quick-reply";
      const actions = listAt(body, "types", type, "actions");
      const said = textAt(body, "types", type, "body");
      const wrong =
        textAt(body, "language") === undefined
          ? invalid("language is required")
          : wrongContent(said, actions);
      if (wrong) return wrong;
      const sid = `HX${count().toString(16).padStart(32, "0")}`;
      const json = { sid, account_sid: accountSid, ...(body as object), url: `/v1/Content/${sid}` };
      const buttons = actions.map((action) => ({
        title: textAt(action, "title") ?? "",
        id: textAt(action, "id") ?? "",
      }));
      contents.set(sid, { sid, json, body: said ?? "", buttons, approved: false });
      return { status: 201, json };
    },
    list() {
      const page = { page: 0, page_size: 50, next_page_url: null, previous_page_url: null };
      const all = [...contents.values()].map(({ json }) => json);
      return { status: 200, json: { meta: { ...page, key: "contents" }, contents: all } };
    },
    fetch(sid) {
      const content = contents.get(sid);
      return content === undefined ? missing(sid) : { status: 200, json: content.json };
    },
    fill(sid, variables) {
      const content = contents.get(sid);
      if (content === undefined) return twilioError(400, 21655, "The ContentSid is invalid");
      const values = variablesOf(variables);
      if (values === undefined) return twilioError(400, 21656, "The ContentVariables parameter is invalid");
      const fill = (text: string): string =>
        text.replace(/\{\{(\w+)\}\}/g, (whole, name) => values.get(name) ?? whole);
      const text = fill(content.body);
      if (text.length > bodyLimit) return twilioError(400, 63021, "Channel invalid content error");
      if (!content.approved && content.buttons.length > sessionButtons) {
        return twilioError(400, 63021, "Channel invalid content error");
      }
      const buttons = content.buttons.map(
        ({ title, id }): Button => ({ label: fill(title), payload: fill(id) }),
      );
      return { kind: "prompt", text, buttons, template: content.approved };
    },
  };
}
