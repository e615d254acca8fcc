const allowedHeaders = "authorization, content-type, idempotency-key, if-none-match, last-event-id";
const exposedHeaders = "etag, idempotent-replayed, retry-after";
const maxAgeSeconds = 600;

/** What a request of a page on an allowed origin is answered with; empty for any other. */
export function corsHeaders(
  origin: string | null,
  allowed: ReadonlySet<string>,
): { readonly [name: string]: string } {
  if (allowed.size === 0) return {};
  if (origin === null || !allowed.has(origin)) return { vary: "origin" };
  return {
    vary: "origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposedHeaders,
  };
}

/** Answers a preflight of an allowed origin; undefined for any other request. */
export function preflight(
  request: Request,
  methods: readonly string[],
  allowed: ReadonlySet<string>,
): Response | undefined {
  const origin = request.headers.get("origin");
  if (request.method !== "OPTIONS" || origin === null || !allowed.has(origin)) return undefined;
  if (request.headers.get("access-control-request-method") === null) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": String(maxAgeSeconds),
    },
  });
}
