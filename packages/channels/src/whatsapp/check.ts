import type { SetupContext, SetupProblem } from "@countersign/core";
import { leadsTo, problem } from "../base/problem.ts";
import { at, idAt, listAt, textAt } from "../base/walk.ts";
import {
  type About,
  askGraph,
  checkApp,
  elsewhere,
  type GraphSetup,
  problemsOf,
  seeAccount,
} from "../meta/setup.ts";

type WhatsAppSetup = GraphSetup & {
  readonly phoneNumberId: string;
  readonly businessAccountId?: string;
};

const next =
  "compare the id with the one that Meta shows, and make the access token with whatsapp_business_management";
const number: About = { thing: "the number", where: "phoneNumberId", next };
const account: About = { thing: "the WhatsApp Business account", where: "businessAccountId", next };
const fields = ["messages", "user_id_update"];

// The address of a number wins over that of its account, which wins over that of the app.
function addressOf(configuration: unknown): readonly [whose: string, address: string] | undefined {
  const places = [
    ["phone_number", "the number's webhook"],
    ["whatsapp_business_account", "the WhatsApp Business account's webhook"],
    ["application", "the app's webhook"],
  ] as const;
  for (const [name, whose] of places) {
    const address = textAt(configuration, name);
    if (address) return [whose, address];
  }
  return undefined;
}

async function checkAccount(
  setup: WhatsAppSetup,
  as: {
    readonly token: string;
    readonly appId: string | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly SetupProblem[]> {
  const { businessAccountId: id, phoneNumberId } = setup;
  if (id === undefined) {
    return [
      problem(
        "whether the app is subscribed to the WhatsApp Business account was not checked",
        "businessAccountId",
        "set it to the id of the account that the number belongs to",
      ),
    ];
  }
  const asking = { ...as, about: account };
  const numbers = await askGraph(
    setup,
    `${encodeURIComponent(id)}/phone_numbers?fields=id&limit=1000`,
    asking,
  );
  if (numbers.kind !== "json") return problemsOf(numbers);
  if (!listAt(numbers.json, "data").some((one) => idAt(one, "id") === phoneNumberId)) {
    return [
      problem("the number belongs to another account", account.where, "take the id of the number's account"),
    ];
  }
  const apps = await askGraph(setup, `${encodeURIComponent(id)}/subscribed_apps`, asking);
  if (apps.kind !== "json") return problemsOf(apps);
  const ids = listAt(apps.json, "data").map((one) => idAt(one, "whatsapp_business_api_data", "id"));
  if (as.appId === undefined || ids.includes(as.appId)) return [];
  return [
    problem(
      "the app is not subscribed to the WhatsApp Business account: nothing that customers write arrives",
      "the account's subscribed apps at Meta",
      `subscribe it: POST /${id}/subscribed_apps with the access token`,
    ),
  ];
}

/**
 * Checks a number at the WhatsApp Cloud API: tokens, version, number, account, subscriptions, fields and the webhook's path.
 *
 * Meta: "Retrieve WhatsApp Business Phone Number Information", "Get All Subscriptions for a WABA" and "Phone numbers of a
 * WABA" of the API description v23.0; "Webhook overrides" (28 Jun 2026). Read 2026-12-01. An account's subscription names no
 * fields: they are the app's. Which account a number belongs to is not told by the number, hence the option. Whether the
 * verify token is the one that was entered, and whether the host of the webhook is this server's, nobody tells.
 */
export async function checkWhatsApp(
  setup: WhatsAppSetup,
  { webhookPath, signal }: SetupContext,
): Promise<readonly SetupProblem[]> {
  const path = `${setup.phoneNumberId}?fields=id,webhook_configuration`;
  const { problems, found } = await seeAccount(setup, path, number, signal);
  if (found === undefined) return problems;
  const { json, token } = found;
  const address = addressOf(at(json, "webhook_configuration"));
  const needs = {
    object: "whatsapp_business_account",
    fields,
    webhookPath: address === undefined ? webhookPath : null,
  } as const;
  const app = await checkApp(setup, token, needs, signal);
  return [
    ...problems,
    ...(address && !leadsTo(address[1], webhookPath) ? [elsewhere(address[0], webhookPath)] : []),
    ...app.problems,
    ...(await checkAccount(setup, { token, appId: app.appId, signal })),
  ];
}
