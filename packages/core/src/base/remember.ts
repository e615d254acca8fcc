const limit = 512;

/**
 * The value kept under `key`, made once. Intl formatters cost a hundred times more to make than to use.
 *
 * A full map is emptied, so that many locales or time zones cannot fill the memory.
 */
export function remember<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= limit) kept.clear();
  kept.set(key, made);
  return made;
}
