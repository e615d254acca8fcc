import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";
import type { Answer, Api } from "./fixtures.ts";
import { findRoutes } from "./routes.ts";

type Part = { readonly [name: string]: unknown };

/** Makes every object closed that describes its members, so that an answer with a member nobody described is noticed. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, member]) => [name, closed(member)]));
  return "properties" in copy && !("additionalProperties" in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

const at = (part: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Part | undefined)?.[name], part);

type Described = { readonly document: Part; readonly ajv: Ajv2020 };

// Compiled schemas by the document's text: every server of one run serves the same one.
const compiled = new Map<string, Described>();

function compile(text: string): Described {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const document = JSON.parse(text) as Part;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as { default: (target: Ajv2020) => void }).default(ajv);
  ajv.addSchema({ $id: "http://document.example/", ...(closed(document) as Part) });
  const described = { document, ajv };
  compiled.set(text, described);
  return described;
}

/**
 * Holds answers to the document that the server itself serves: the status is described for the route, with this media
 * type, and the body fits the schema, every member of it described.
 */
export function describedAnswers(
  raw: Api["raw"],
): (method: string, path: string, answer: Answer) => Promise<void> {
  let ready: Promise<Described> | undefined;

  return async (method, path, { status, headers, body }) => {
    const found = findRoutes(new URL(path, "http://countersign.example").pathname);
    const route = found?.byMethod.get(method);
    if (route === undefined) return;
    ready ??= raw("GET", "/openapi.json").then(async (served) => compile(await served.text()));
    const { document, ajv } = await ready;
    const where = `${method} ${route.path} answered ${status}`;
    const operation = [route.path, method.toLowerCase()];
    const response = at(document, "paths", ...operation, "responses", String(status)) as Part | undefined;
    if (response === undefined) throw new Error(`${where}, which is not described: ${JSON.stringify(body)}`);
    if (body === undefined) {
      if (response.content !== undefined) throw new Error(`${where} without a body, which is described`);
      return;
    }
    const mediaType = headers.get("content-type") ?? "";
    const schema = at(response, "content", mediaType, "schema");
    if (schema === undefined) throw new Error(`${where} as ${mediaType}, which is not described`);
    const pointer = ["paths", ...operation, "responses", String(status), "content", mediaType, "schema"]
      .map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
      .join("");
    const validate = ajv.getSchema(`http://document.example/#${pointer}`);
    if (validate === undefined) throw new Error(`${where}: its schema is not found`);
    if (!validate(body)) {
      throw new Error(
        `${where}, which does not fit its description: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`,
      );
    }
  };
}
