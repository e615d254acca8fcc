/** The parts of a window that hold the code of a review link. */
export type LinkPlace = {
  readonly location: Pick<Location, "hash" | "pathname" | "search">;
  readonly history: Pick<History, "replaceState">;
};

/**
 * Takes the single-use code out of the address, where it must not stay: an address is shown, copied and kept. Empty where
 * there was none. Nothing may be asked of any server before this.
 */
export function takeCode({ location, history }: LinkPlace): string {
  const code = location.hash.slice(1);
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  return code;
}

/** What the API's paths are appended to, given the path of the page: the server may live below a path of its own. */
export const baseOfPage = (pathname: string): string => pathname.replace(/\/review\/?$/, "");
