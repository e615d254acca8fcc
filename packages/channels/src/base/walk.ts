/** The member of an object in foreign JSON; undefined for everything that has none of that name. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as { readonly [name: string]: unknown })[name];
  }
  return found;
}

/** A string member; also an empty one. Undefined where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** An id: a string that is not empty, or a whole number, which some senders write instead. */
export function idAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  if (typeof found === "number" && Number.isSafeInteger(found)) return String(found);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The items of a list; none for everything else. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

// Seconds of any year before 5138, or milliseconds of any year after 1973.
const mostSeconds = 1e11;

/** A time in seconds or milliseconds, as a number or digits; null where there is none. */
export function instantAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  const count = typeof found === "string" && /^\d{1,16}$/.test(found) ? Number(found) : found;
  if (typeof count !== "number" || !Number.isFinite(count) || count < 0) return null;
  return Math.trunc(count < mostSeconds ? count * 1000 : count);
}

/** The ids that are there, each once. */
export function present(ids: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** A text as JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
