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
  const detail = [deeper, code, name].find((part) => typeof part === "string" && part !== "") ?? "error";
  return beforeConnection.has(String(detail))
    ? { kind: "unreached", detail: String(detail) }
    : { kind: "unknown", detail: String(detail) };
}

function waitOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Request = {
  readonly headers: { readonly [name: string]: string };
  readonly signal: AbortSignal | undefined;
};

async function ask(url: string, { headers, signal }: Request, init: RequestInit): Promise<Posted> {
  const limits = [AbortSignal.timeout(sendTimeoutMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...init.headers, ...headers },
      redirect: "manual",
      signal: AbortSignal.any(limits),
    });
    const json = parsed(await response.text());
    const waitMs = waitOf(response.headers.get("retry-after"));
    return { kind: "answer", status: response.status, json, waitMs, headers: response.headers };
  } catch (error) {
    return unanswered(error);
  }
}

/** Posts JSON. Never rejects. */
export async function postJson(url: string, request: Request & { readonly body: object }): Promise<Posted> {
  const headers = { "content-type": "application/json" };
  return await ask(url, request, { method: "POST", headers, body: JSON.stringify(request.body) });
}

/** Gets JSON. Never rejects. */
export async function getJson(url: string, request: Request): Promise<Posted> {
  return await ask(url, request, { method: "GET" });
}
