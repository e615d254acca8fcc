import type { JsonObject } from "@countersign/core";

/** One change that the provider really made. */
export type Effect = { readonly args: JsonObject; readonly customerId: string | null };

/** What the provider holds under one key. */
export type Account = {
  readonly effects: Effect[];
  /** Requests that may still change something. */
  inFlight: number;
  /** A change that was taken and is not finished. */
  working: Effect | null;
};

/** The far side of the network, which is honest about what it holds. */
export type Provider = {
  of(key: string): Account;
  /** Makes the change under `key`; again under a key that it honours, it makes none. */
  make(key: string, effect: Effect, honoursKey: boolean): void;
  /** Finishes, or gives up, the longest unfinished change but `index`. */
  finish(index: number, done: boolean): void;
  unfinished(): number;
  effects(): number;
};

export function provider(changed: (key: string) => void): Provider {
  const accounts = new Map<string, Account>();
  function of(key: string): Account {
    const found = accounts.get(key) ?? { effects: [], inFlight: 0, working: null };
    accounts.set(key, found);
    return found;
  }
  const working = (): [string, Account][] => [...accounts].filter(([, account]) => account.working !== null);
  return {
    of,
    make(key, effect, honoursKey) {
      const { effects } = of(key);
      if (honoursKey && effects.length > 0) return;
      effects.push(effect);
      changed(key);
    },
    finish(index, done) {
      const all = working();
      const [key, account] = all[index % Math.max(1, all.length)] ?? [];
      if (key === undefined || !account?.working) return;
      const effect = account.working;
      account.working = null;
      if (!done) return;
      account.effects.push(effect);
      changed(key);
    },
    unfinished: () => working().length,
    effects: () => [...accounts.values()].reduce((sum, { effects }) => sum + effects.length, 0),
  };
}

/** What an honest observer can say of a key for certain: whether the change was made, or null while that may change. */
export function isCertain({ effects, inFlight, working }: Account): boolean | null {
  if (effects.length > 0) return true;
  return inFlight > 0 || working ? null : false;
}
