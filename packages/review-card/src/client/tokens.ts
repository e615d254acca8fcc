/** The session token in use, and where a newer one comes from. */
export type Tokens = {
  get(): Promise<string>;
  /** A token other than `old`, or null when there is none to be had. */
  renew(old: string): Promise<string | null>;
};

/** Keeps the token that `getToken` gave until it has run out; requests that meet this together ask once. */
export function createTokens(
  source: { readonly token: string } | { readonly getToken: () => string | Promise<string> },
): Tokens {
  if ("token" in source) {
    return { get: async () => source.token, renew: async () => null };
  }
  let kept: Promise<string> | null = null;
  const ask = (): Promise<string> => {
    const asked = (async () => source.getToken())();
    kept = asked;
    asked.catch(() => {
      if (kept === asked) kept = null; // the next request asks again
    });
    return asked;
  };
  const get = (): Promise<string> => kept ?? ask();
  return {
    get,
    async renew(old) {
      const now = await get();
      const next = now === old ? await ask() : now;
      return next === old ? null : next;
    },
  };
}
