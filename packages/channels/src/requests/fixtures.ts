import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import type { Asked } from "../fixtures.ts";

const text = (maxLength: number): AnySchema => ({ type: "string", minLength: 1, maxLength });
const only = (
  properties: { readonly [name: string]: unknown },
  optional: readonly string[] = [],
): AnySchema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const list = (items: unknown, minItems: number, maxItems: number): AnySchema => ({
  type: "array",
  items,
  minItems,
  maxItems,
});

// Written from the platforms' pages; what a page leaves open is left out, so that nothing else is sent either.
const whatsappCommon = {
  messaging_product: { const: "whatsapp" },
  recipient_type: { const: "individual" },
  to: { type: "string", pattern: "^[1-9][0-9]{5,14}$" },
  recipient: { type: "string", pattern: "^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$" },
  biz_opaque_callback_data: text(512),
};
const replyButton = only({ type: { const: "reply" }, reply: only({ id: text(256), title: text(20) }) });
const flat = { type: "string", minLength: 1, not: { pattern: "[\\n\\t]| {5}" } };
const whatsapp = (type: string, content: unknown): AnySchema =>
  only({ ...whatsappCommon, type: { const: type }, [type]: content }, ["to", "recipient"]);
const quickReply = (index: string): AnySchema =>
  only({
    type: { const: "button" },
    sub_type: { const: "quick_reply" },
    index: { const: index },
    parameters: list(only({ type: { const: "payload" }, payload: text(128) }), 1, 1),
  });

const postback = only({ type: { const: "postback" }, title: text(20), payload: text(1000) });
const messaging = (type: string, message: unknown): AnySchema =>
  only({
    recipient: only({ id: { type: "string", pattern: "^[0-9]+$" } }),
    messaging_type: { const: type },
    message,
  });
const buttons = only({
  attachment: only({
    type: { const: "template" },
    payload: only({ template_type: { const: "button" }, text: text(640), buttons: list(postback, 2, 2) }),
  }),
});

/** What the platforms' pages allow us to send, one of each list. */
const ownSchemas: { readonly [platform: string]: AnySchema } = {
  whatsapp: {
    oneOf: [
      whatsapp("text", only({ body: text(4096), preview_url: { type: "boolean" } })),
      whatsapp(
        "interactive",
        only({
          type: { const: "button" },
          body: only({ text: text(1024) }),
          action: only({ buttons: list(replyButton, 2, 2) }),
        }),
      ),
      whatsapp(
        "template",
        only({
          name: text(512),
          language: only({ code: text(20) }),
          components: {
            type: "array",
            prefixItems: [
              only({
                type: { const: "body" },
                parameters: list(only({ type: { const: "text" }, text: flat }), 1, 1),
              }),
              quickReply("0"),
              quickReply("1"),
            ],
            items: false,
            minItems: 3,
          },
        }),
      ),
    ],
  },
  messenger: {
    oneOf: [
      messaging("RESPONSE", only({ text: text(2000) })),
      messaging("RESPONSE", buttons),
      messaging(
        "UTILITY",
        only({ template: { type: "object", required: ["name", "language", "components"] } }),
      ),
    ],
  },
  instagram: { oneOf: [messaging("RESPONSE", only({ text: text(1000) })), messaging("RESPONSE", buttons)] },
  twilio: {
    oneOf: [
      only({
        From: { type: "string", pattern: "^whatsapp:\\+[0-9]+$" },
        To: { type: "string", pattern: "^whatsapp:" },
        Body: text(1600),
        StatusCallback: { type: "string", pattern: "^https?://" },
      }),
      only({
        From: { type: "string", pattern: "^whatsapp:\\+[0-9]+$" },
        To: { type: "string", pattern: "^whatsapp:" },
        ContentSid: { type: "string", pattern: "^HX[0-9a-fA-F]{32}$" },
        ContentVariables: { type: "string", pattern: '^\\{"1":"' },
        StatusCallback: { type: "string", pattern: "^https?://" },
      }),
      only({
        friendly_name: text(64),
        language: text(10),
        variables: { type: "object", maxProperties: 100, additionalProperties: { type: "string" } },
        types: only({
          "twilio/quick-reply": only({
            body: text(1024),
            actions: list(
              only({
                type: { const: "QUICK_REPLY" },
                title: text(20),
                id: { type: "string", pattern: "^\\{\\{\\d+\\}\\}$" },
              }),
              2,
              2,
            ),
          }),
        }),
      }),
    ],
  },
};

/** A request's body as JSON, whatever it was sent as. */
export function bodyOf({ body, headers }: Asked): unknown {
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

/** Judges requests: what is wrong with one, null when nothing is, undefined when it is not this judge's matter. */
export type Judge = {
  readonly name: string;
  judge(platform: string, asked: Asked): string | null | undefined;
};

function judgeOf(name: string, schema: AnySchema, pick: (platform: string, asked: Asked) => unknown): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const validate = ajv.compile(schema);
  return {
    name,
    judge(platform, asked) {
      const picked = pick(platform, asked);
      if (picked === undefined) return undefined;
      return validate(picked) ? null : ajv.errorsText(validate.errors);
    },
  };
}

function ownJudges(): readonly Judge[] {
  return Object.entries(ownSchemas).map(([mine, schema]) =>
    judgeOf(`our own schema of ${mine}`, schema, (platform, asked) =>
      platform === mine ? bodyOf(asked) : undefined,
    ),
  );
}

type Description = {
  readonly info: { readonly title: string };
  readonly components: object;
  readonly paths?: {
    readonly [path: string]: { readonly post?: { readonly requestBody?: { readonly content?: object } } };
  };
};

function withPart(description: Description, $ref: string): AnySchema {
  return { components: description.components, $ref };
}

// Each platform's published description names other parts; which one is told by what it has.
function judgesOf(file: string, description: Description): readonly Judge[] {
  const schemas =
    (description.components as { schemas?: { readonly [name: string]: unknown } }).schemas ?? {};
  const create = Object.entries(description.paths ?? {}).find(([path]) =>
    path.endsWith("/Messages.json"),
  )?.[1];
  const form = create?.post?.requestBody?.content as
    | { readonly [type: string]: { readonly schema: object } }
    | undefined;
  return [
    ...("InteractiveObject" in schemas
      ? [
          judgeOf(
            `${file} InteractiveObject`,
            withPart(description, "#/components/schemas/InteractiveObject"),
            (platform, asked) =>
              platform === "whatsapp" ? (bodyOf(asked) as { interactive?: object }).interactive : undefined,
          ),
        ]
      : []),
    ...("ContentCreateRequest" in schemas
      ? [
          judgeOf(
            `${file} ContentCreateRequest`,
            withPart(description, "#/components/schemas/ContentCreateRequest"),
            (platform, asked) =>
              platform === "twilio" && asked.path.startsWith("/content.") ? bodyOf(asked) : undefined,
          ),
        ]
      : []),
    ...(form
      ? [
          judgeOf(
            `${file} CreateMessage`,
            { components: description.components, ...form["application/x-www-form-urlencoded"]?.schema },
            (platform, asked) =>
              platform === "twilio" && asked.path.endsWith("/Messages.json") ? bodyOf(asked) : undefined,
          ),
        ]
      : []),
  ];
}

/** Our own schemas, and the platforms' published descriptions (OpenAPI as JSON) in `folder`, where there is one. */
export function judges(folder: string | undefined): readonly Judge[] {
  const files = folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".json"));
  const published = files.flatMap((file) =>
    judgesOf(file, JSON.parse(readFileSync(join(folder ?? "", file), "utf8")) as Description),
  );
  return [...ownJudges(), ...published];
}
