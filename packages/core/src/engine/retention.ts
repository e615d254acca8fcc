import { ConfigurationError } from "../base/errors.ts";
import type { Kernel } from "./kernel.ts";
import { repeat } from "./repeat.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long things are kept at the least, checked; `plainMs` null: until they are erased. */
export type Retention = { readonly keysMs: number; readonly plainMs: number | null };

/** How long an engine keeps what it could do without. Nothing goes before its time; it may stay a little longer. */
export type RetentionOptions = {
  /** How long a client's key counts, with its first answer. 24 to 8760. Default: 24. */
  readonly keysHours?: number;
  /**
   * Days after a write's last event until its arguments, cards and results go; its journal stays. 1 to 36500, and not less
   * than the keys are kept. Default: they are kept until their customer is erased.
   */
  readonly plainDays?: number;
};

function checkWhole(name: string, value: number, least: number, most: number, why: string): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ConfigurationError(
    `retention.${name} must be a whole number from ${least} to ${most}, not ${String(value)}; ${why}`,
  );
}

/** Checks the options. Throws ConfigurationError, which names the option and what to do. */
export function checkRetention({ keysHours = 24, plainDays }: RetentionOptions): Retention {
  const promised = "clients are promised that a key and its result count for a day";
  const keysMs = checkWhole("keysHours", keysHours, 24, 8760, promised) * hourMs;
  if (plainDays === undefined) return { keysMs, plainMs: null };
  const plainMs =
    checkWhole("plainDays", plainDays, 1, 36_500, "leave it out to keep values until they are erased") *
    dayMs;
  if (plainMs < keysMs) {
    throw new ConfigurationError(
      `retention.plainDays (${plainDays}) must not be shorter than retention.keysHours (${keysHours}): ` +
        "a key that still counts gives the result again",
    );
  }
  return { keysMs, plainMs };
}

// Few rows at a time, so that nobody waits for the store behind it.
const batch = 200;

// Platforms send a message that they could not hand over again for up to seven days (Meta's pages on webhooks, read November 2026).
const inboxMs = 8 * dayMs;

// Old keys and messages are found by an index; old values by a walk through all writes that are old enough.
const keysEveryMs = 60_000;
const inboxEveryMs = 60_000;
const plainEveryMs = 6 * hourMs;
const firstMs = 60_000;

/** Deletes clients' keys whose time is over. */
async function purgeKeys({ store, clock }: Kernel, stopped: () => boolean): Promise<void> {
  while (!stopped() && (await store.purgeKeys({ now: clock.now(), limit: batch })) === batch);
}

/** Deletes incoming messages that nobody sends a second time any more. */
async function purgeInbox({ store, clock }: Kernel, stopped: () => boolean): Promise<void> {
  const receivedBefore = clock.now() - inboxMs;
  while (!stopped() && (await store.purgeInbox({ receivedBefore, limit: batch })) === batch);
}

/** Drops the plain values of writes that ended long ago. */
async function purgePlain({ store, clock, retention }: Kernel, stopped: () => boolean): Promise<void> {
  if (retention.plainMs === null) return;
  const endedBefore = clock.now() - retention.plainMs;
  let cursor: string | null = null;
  do cursor = await store.purgePlain({ endedBefore, limit: batch, cursor });
  while (cursor !== null && !stopped());
}

/** Lets go of what was kept long enough, again and again; the answer stops it and resolves when nothing goes on any more. */
export function startRetention(kernel: Kernel): () => Promise<void> {
  let over = false;
  const stopped = (): boolean => over;
  const stops = [
    repeat(
      kernel,
      { firstMs, everyMs: keysEveryMs, during: "deleting clients' keys whose time is over" },
      () => purgeKeys(kernel, stopped),
    ),
    repeat(
      kernel,
      { firstMs, everyMs: inboxEveryMs, during: "deleting incoming messages that are old enough" },
      () => purgeInbox(kernel, stopped),
    ),
    repeat(
      kernel,
      { firstMs, everyMs: plainEveryMs, during: "dropping values of writes that ended long ago" },
      () => purgePlain(kernel, stopped),
    ),
  ];
  return async () => {
    over = true;
    await Promise.all(stops.map((stop) => stop()));
  };
}
