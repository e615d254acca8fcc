import { createHmac, randomUUID } from "node:crypto";
import type { Hook } from "../courier.ts";

/** JSON as Meta writes it: pure ASCII, with escaped slashes. Signatures are over these bytes. */
function metaJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A webhook of Meta, signed with the app's secret; undefined as long as there is no address for it. */
export function metaHook(url: string | undefined, appSecret: string, value: unknown): Hook | undefined {
  if (url === undefined) return undefined;
  const body = metaJson(value);
  const signature = createHmac("sha256", appSecret).update(body).digest("hex");
  return {
    url,
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "facebookexternalua",
      "x-hub-signature-256": `sha256=${signature}`,
    },
  };
}

/** Asks for the challenge, as Meta does when the address of a webhook is entered. Rejects when it does not come back. */
export async function verifyMeta(hookUrl: string, verifyToken: string): Promise<void> {
  const url = new URL(hookUrl);
  const challenge = randomUUID();
  url.searchParams.set("hub.mode", "subscribe");
  url.searchParams.set("hub.challenge", challenge);
  url.searchParams.set("hub.verify_token", verifyToken);
  const response = await fetch(url, { redirect: "manual" });
  const body = await response.text();
  if (response.status !== 200 || body !== challenge) {
    throw new Error(
      `the callback address was not verified: ${hookUrl} answered ${response.status} without the challenge`,
    );
  }
}

/** How Meta delivers again: less and less often, for a day and a half at least. */
export const metaRetries: { readonly unless: "status_200"; readonly afterMs: readonly number[] } = {
  unless: "status_200",
  afterMs: [1000, 5000, 30_000, 300_000, 1_800_000, 7_200_000, 36_000_000],
};
