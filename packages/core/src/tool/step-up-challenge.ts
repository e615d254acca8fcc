import { type Level, type StepUpRequired, stepUpRequired } from "./outcome.ts";

type Challenge = { readonly scheme: string; readonly parameters: ReadonlyMap<string, string> | "duplicate" };

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;

/** Reads the challenges of a WWW-Authenticate header (RFC 9110, section 11.6.1). Undefined when it is malformed. */
function parseChallenges(header: string): Challenge[] | undefined {
  const challenges: { scheme: string; parameters: Map<string, string>; duplicate: boolean }[] = [];
  let rest = header;
  const skip = (pattern: RegExp): void => {
    rest = rest.replace(pattern, "");
  };
  while (true) {
    skip(/^[\s,]+/);
    if (rest === "") break;
    const word = token.exec(rest)?.[0];
    if (!word) return undefined;
    rest = rest.slice(word.length);
    const current = challenges.at(-1);
    const assignment = /^\s*=\s*(?!=|\s*$|\s*,)/.exec(rest)?.[0];
    if (assignment === undefined) {
      challenges.push({ scheme: word.toLowerCase(), parameters: new Map(), duplicate: false });
      // A token68 credential may follow a scheme in place of parameters; it says nothing about step-up.
      skip(/^\s+[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/);
      continue;
    }
    if (!current) return undefined;
    rest = rest.slice(assignment.length);
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(rest);
    const value = quoted ? (quoted[1] ?? "").replaceAll(/\\(.)/g, "$1") : token.exec(rest)?.[0];
    if (value === undefined) return undefined;
    rest = rest.slice(quoted ? quoted[0].length : value.length);
    const name = word.toLowerCase();
    if (current.parameters.has(name)) current.duplicate = true;
    current.parameters.set(name, value);
  }
  return challenges.map(({ scheme, parameters, duplicate }) => ({
    scheme,
    parameters: duplicate ? "duplicate" : parameters,
  }));
}

const defaultLevels: Readonly<Record<string, Level>> = { low: "low", standard: "standard", high: "high" };

function levelOf(acrValues: string | undefined, levels: Readonly<Record<string, Level>>): Level | undefined {
  if (acrValues === undefined || acrValues.trim() === "") return undefined;
  const known = acrValues
    .trim()
    .split(/\s+/)
    .find((acr) => Object.hasOwn(levels, acr));
  return known === undefined ? "high" : levels[known];
}

function maxAgeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), 86_400);
}

/**
 * Reads a step-up challenge (RFC 9470, read November 2026) from your API's `WWW-Authenticate` header.
 *
 * Answers undefined when the header holds no such challenge, so that `if (stepUp) return stepUp` works. `levels` maps the
 * provider's acr values to levels (default: the words low, standard and high); the first known one counts, unknown ones
 * mean `high`. A `max_age` beyond a day counts as a day, an invalid one is left out; with neither, the level is `high`.
 */
export function stepUpFromChallenge(
  header: string | null | undefined,
  options: { readonly levels?: Readonly<Record<string, Level>> } = {},
): StepUpRequired | undefined {
  if (!header) return undefined;
  for (const { parameters } of parseChallenges(header) ?? []) {
    if (parameters === "duplicate" || parameters.get("error") !== "insufficient_user_authentication")
      continue;
    const level = levelOf(parameters.get("acr_values"), options.levels ?? defaultLevels);
    const maxAuthAgeSeconds = maxAgeOf(parameters.get("max_age"));
    if (maxAuthAgeSeconds === undefined) return stepUpRequired({ level: level ?? "high" });
    return stepUpRequired({ ...(level !== undefined && { level }), maxAuthAgeSeconds });
  }
  return undefined;
}
