import { createLiveCard, type LiveCard, type LiveCardOptions } from "./live-card.ts";

/** A card that is held: give it back when nothing shows it any more. */
export type HeldCard = {
  readonly live: LiveCard;
  release(): void;
};

type Entry = { readonly live: LiveCard; holders: number };
type Credential = LiveCardOptions["credential"];

// Only for as long as somebody holds them, so that no credential stays behind.
const shared = new Map<Credential, Map<string, Entry>>();

/** The live card of one server and one credential, and its connection; the same for all that hold it. */
export function holdCard(baseUrl: string, credential: Credential): HeldCard {
  const byServer = shared.get(credential) ?? new Map<string, Entry>();
  shared.set(credential, byServer);
  const entry = byServer.get(baseUrl) ?? { live: createLiveCard({ baseUrl, credential }), holders: 0 };
  byServer.set(baseUrl, entry);
  entry.holders += 1;
  const disconnect = entry.live.retain();
  let held = true;
  return {
    live: entry.live,
    release() {
      if (!held) return;
      held = false;
      disconnect();
      entry.holders -= 1;
      if (entry.holders > 0) return;
      byServer.delete(baseUrl);
      if (byServer.size === 0) shared.delete(credential);
    },
  };
}
