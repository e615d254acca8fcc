import { sha256 } from "../../base/digest.ts";
import { ConfigurationError } from "../../base/errors.ts";
import type { Refusal } from "../../flow/refusal.ts";
import type { Write } from "../../flow/write.ts";
import type { CardSession } from "../engine.ts";
import { load } from "../handle.ts";
import type { Kernel } from "../kernel.ts";

const scope = "review";
const sessionMs = 60 * 60_000;

/** Checks the public address of the server. Throws ConfigurationError. */
export function checkReviewUrl(given: string | undefined): string | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const local = url?.hostname === "localhost" || url?.hostname === "127.0.0.1";
  const fits = url && (url.protocol === "https:" || (url.protocol === "http:" && local));
  if (!fits || url.search !== "" || url.hash !== "" || /[*_~`]/.test(given)) {
    throw new ConfigurationError(
      'reviewUrl: write the public address of this server, such as "https://confirm.shop.example", with https and without query, fragment, or any of * _ ~ `',
    );
  }
  return given.replace(/\/+$/, "");
}

/** Makes a link to the card of a write. Who opens it may see, change and decline, once; it is good as long as the write waits. */
export async function makeReviewLink(kernel: Kernel, write: Write): Promise<string | undefined> {
  const { principal } = write;
  if (kernel.reviewUrl === null || principal.kind !== "customer") return undefined;
  // Hexadecimal, since a chat's markup knows other characters.
  const code = kernel.random.salt();
  const row = { scope, key: sha256(code), fingerprint: "", writeId: write.id, answer: null };
  const { customerRef } = principal;
  await kernel.store.claimKey({ ...row, customerRef, keepUntil: write.expiresAt }, kernel.clock.now());
  // In the fragment: no server and no log on the way sees it.
  return `${kernel.reviewUrl}/review#${code}`;
}

/**
 * Exchanges a link's code for a card session, once. `presented`: the session that this browser already has, if any: only
 * what the host has verified may confirm there; elsewhere the confirm goes to the chat.
 */
export async function openReview(
  kernel: Kernel,
  code: string,
  presented: CardSession | undefined,
): Promise<{ readonly session: CardSession; readonly mayConfirm: boolean } | Refusal> {
  const { store, clock } = kernel;
  const key = sha256(code);
  const now = clock.now();
  const link = await store.findKey(scope, key, now);
  const write = link?.writeId == null ? undefined : await load(kernel, link.writeId);
  if (!link || write?.principal.kind !== "customer") return { refused: "expired" };
  const used = { ...link, scope: `${scope} used`, answer: null };
  if ((await store.claimKey(used, now)) !== "claimed") return { refused: "expired" };
  const { conversationId, principal } = write;
  const { conversation } = await store.readConversation(conversationId);
  const epoch = conversation?.epoch ?? 0;
  if (principal.epoch !== epoch) return { refused: "expired" };
  const mayConfirm =
    presented?.conversationId === conversationId &&
    presented.epoch === epoch &&
    presented.mayConfirm !== false;
  const session = { conversationId, epoch, expiresAt: now + sessionMs };
  return { session: mayConfirm ? session : { ...session, mayConfirm: false }, mayConfirm };
}
