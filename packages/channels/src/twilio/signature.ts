import { createHash } from "node:crypto";
import type { InboundRequest } from "@countersign/core";
import { isSigned } from "../base/secret.ts";

/** What proves that a webhook request is from Twilio, and the address that Twilio calls. */
export type TwilioSecrets = {
  readonly authTokens: readonly string[];
  /** Set: every request must be signed with one of these, whatever it says of itself. */
  readonly sharedKeys: readonly string[] | null;
  readonly publicUrl: string;
};

/** The fields of a form body, blanks and all. */
export function formOf(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}

function signedText(url: string, form: URLSearchParams | null): string {
  if (form === null) return url;
  const names = [...new Set(form.keys())].sort();
  const values = (name: string): readonly string[] => [...new Set(form.getAll(name))].sort();
  return url + names.flatMap((name) => values(name).map((value) => name + value)).join("");
}

// Twilio has signed with and without the standard port over the years.
function spellingsOf(url: string): readonly string[] {
  const [, scheme = "", host = "", rest = ""] = /^(https?):\/\/([^/?]*)(.*)$/s.exec(url) ?? [];
  const port = scheme === "https" ? ":443" : ":80";
  if (host.endsWith(port)) return [url, `${scheme}://${host.slice(0, -port.length)}${rest}`];
  return /:\d+$/.test(host) ? [url] : [url, `${scheme}://${host}${port}${rest}`];
}

function algorithmOf(settings: string | null): "sha1" | "sha256" | undefined {
  const [, name] = /(?:^|,)\s*algorithm=([^,\s]*)/.exec(settings ?? "") ?? [];
  if (name === undefined || name === "HMAC_SHA1") return "sha1";
  return name === "HMAC_SHA256" ? "sha256" : undefined;
}

/**
 * True when the request is signed for exactly the address that was configured.
 *
 * Twilio, "Webhooks security" and "Webhooks configuration" (read 2026-11-30). Host and scheme of the request are not
 * asked: proxies change them. A body that is not a form is covered by its hash in the query, which must then match.
 */
export function isTwilioSigned(request: InboundRequest, secrets: TwilioSecrets): boolean {
  const signature = request.header("x-twilio-signature") ?? "";
  const settings = request.header("x-twilio-webhooks-signature-settings");
  const { authTokens, sharedKeys, publicUrl } = secrets;
  if (!/^[A-Za-z0-9+/]{27,43}=$/.test(signature) || algorithmOf(settings) === undefined) return false;

  const [, bodyHash] = /[?&]bodySHA256=([^&]*)/.exec(request.target) ?? [];
  if (bodyHash !== undefined) {
    const hash = createHash("sha256").update(request.body).digest("hex");
    if (bodyHash.toLowerCase() !== hash) return false;
  }
  const form = bodyHash === undefined ? formOf(request.body) : null;
  const algorithm = sharedKeys === null ? "sha1" : "sha256";
  return spellingsOf(publicUrl + request.target)
    .map((url) => signedText(url, form))
    .some((text) => isSigned(algorithm, text, Buffer.from(signature, "base64"), sharedKeys ?? authTokens));
}
