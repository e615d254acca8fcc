import type { InboundRequest, Reading } from "@countersign/core";

const statuses = { signature: 401, token: 403, method: 405 } as const;

/** A request that is not the platform's, with a hint that names settings and sizes, never secrets or contents. */
export function refused(
  reason: keyof typeof statuses,
  what: string,
  about?: { readonly request: InboundRequest; readonly secrets: number; readonly option: string },
): Reading {
  const hint = about
    ? `${what}, over ${about.request.body.length} bytes of ${about.request.header("content-type") ?? "no content type"}, with ${about.secrets} to try: check the option ${about.option}, and that the body arrives as it was sent`
    : what;
  return {
    kind: "refused",
    reason,
    hint,
    answer: { status: statuses[reason], contentType: "text/plain", body: "" },
  };
}
