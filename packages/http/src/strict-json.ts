/** What is wrong with a value that is JSON all the same, and where (an RFC 6901 pointer). */
export type ValueFault = { readonly pointer: string; readonly message: string };

/** A JSON text as read: not JSON in our strict sense, or a value, perhaps with the first thing that cannot be taken as it is. */
export type ReadJson =
  | { readonly malformed: string }
  | { readonly value: unknown; readonly fault: ValueFault | undefined };

/** Containers below the outermost one that may be nested: arguments have 32 levels of their own. */
const deepest = 32;

const escapeToken = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");

/** Where the string literal that starts at `start` ends: the index after its closing quote. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

/**
 * Looks at every member name of a text that is known to be JSON, without recursion, so that depth costs memory only.
 * JSON.parse would keep the last of two equal names, where another reader keeps the first.
 */
function findNameFault(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let nameComes = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : undefined);
      nameComes = character === "{";
    } else if (character === "}" || character === "]") {
      open.pop();
      nameComes = false;
    } else if (character === ",") {
      nameComes = open.at(-1) !== undefined;
    } else if (character === '"') {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (nameComes && names !== undefined) {
        const name = JSON.parse(text.slice(index, end)) as string;
        if (name === "__proto__") return "a member is named __proto__";
        if (names.has(name)) return "an object has two members of the same name";
        names.add(name);
      }
      nameComes = false;
      index = end - 1;
    }
  }
  return undefined;
}

function faultOfScalar(value: unknown): string | undefined {
  if (typeof value === "string") {
    return (value as string & { isWellFormed(): boolean }).isWellFormed()
      ? undefined
      : "holds half of a surrogate pair";
  }
  if (typeof value !== "number") return undefined;
  if (!Number.isFinite(value)) return "must be a finite number";
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? "is an integer beyond 2^53-1; send it as a string"
    : undefined;
}

function findValueFault(value: unknown, pointer: string, depth: number): ValueFault | undefined {
  if (typeof value !== "object" || value === null) {
    const message = faultOfScalar(value);
    return message === undefined ? undefined : { pointer, message };
  }
  if (depth > deepest) return { pointer, message: `is nested deeper than ${deepest} levels` };
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${escapeToken(name)}`;
    const message = faultOfScalar(name);
    if (message !== undefined) return { pointer, message: `has a member whose name ${message}` };
    const found = findValueFault(member, at, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/**
 * Reads a JSON text (RFC 8259) more strictly than `JSON.parse`.
 *
 * Equal member names and `__proto__` make it malformed. Integers beyond 2^53-1, numbers beyond all bounds, lone surrogates
 * and nesting below 32 levels are reported as the value's fault, because where they stand decides who is told what.
 */
export function readJson(text: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { malformed: "the text is not JSON" };
  }
  const malformed = findNameFault(text);
  return malformed === undefined ? { value, fault: findValueFault(value, "", 0) } : { malformed };
}
