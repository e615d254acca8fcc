import { parsedJson } from "./walk.ts";

/** What came of a request. `unreached`: it did not arrive for certain. `unknown`: it may have. */
export type Posted =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly json: unknown;
      readonly waitMs: number | undefined;
      readonly headers: Headers;
    }
  | { readonly kind: "unreached"; readonly detail: string }
  | { readonly kind: "unknown"; readonly detail: string };

/** How long a platform may take to answer before what became of a message counts as unknown. */
export const sendTimeoutMs = 20_000;

const beforeConnection: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** A request that was not answered: by the code of the error only, since its message may hold addresses. */
export function unanswered(error: unknown): Posted {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  const deeper = (Object(cause) as { code?: unknown }).code;
  const told = [deeper, code, name].find((part) => typeof part === "string" && part !== "");
  const detail = String(told ?? "error");
  return { kind: beforeConnection.has(detail) ? "unreached" : "unknown", detail };
}

function waitOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** Posts JSON, or gets it where there is no body. Never rejects. */
export async function askJson(
  url: string,
  request: {
    readonly headers: { readonly [name: string]: string };
    readonly body?: object;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Posted> {
  const { headers, body, signal } = request;
  const limits = [AbortSignal.timeout(sendTimeoutMs), ...(signal ? [signal] : [])];
  const content = body && { method: "POST", body: JSON.stringify(body) };
  try {
    const response = await fetch(url, {
      ...content,
      headers: { "content-type": "application/json", ...headers },
      redirect: "manual",
      signal: AbortSignal.any(limits),
    });
    const json = parsedJson(await response.text());
    const waitMs = waitOf(response.headers.get("retry-after"));
    return { kind: "answer", status: response.status, json, waitMs, headers: response.headers };
  } catch (error) {
    return unanswered(error);
  }
}
