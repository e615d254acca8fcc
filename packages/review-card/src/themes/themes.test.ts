import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Colours = { readonly [role: string]: string };

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** The colours of the card itself, by role. */
function ownColours(scheme: "light" | "dark"): Colours {
  const found = read("../card.css").matchAll(
    /light-dark\(var\(--cs-([\w-]+), (#\w+)\), var\(--cs-dark-[\w-]+, (#\w+)\)\)/g,
  );
  return Object.fromEntries(
    [...found].map(([, role, light, dark]) => [role, scheme === "light" ? light : dark]),
  );
}

function coloursOf(theme: string | null, scheme: "light" | "dark"): Colours {
  const prefix = scheme === "light" ? "(?!dark-)" : "dark-";
  const given = theme
    ? read(`./${theme}.css`).matchAll(new RegExp(`--cs-${prefix}([\\w-]+): (#\\w+);`, "g"))
    : [];
  return {
    ...ownColours(scheme),
    ...Object.fromEntries([...given].map(([, role, colour]) => [role, colour])),
  };
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.replace(/\w/g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const pairs: readonly (readonly [string, string, number])[] = [
  ...["text", "muted", "accent"].flatMap((role) =>
    ["surface", "sunken"].map((ground) => [role, ground, 4.5] as const),
  ),
  ["on-accent", "accent", 4.5],
  ...["caution", "danger", "success"].map((role) => [role, `${role}-fill`, 4.5] as const),
  ["text", "caution-fill", 4.5],
  ["text", "danger-fill", 4.5],
  ["caution", "surface", 4.5],
  ["danger", "sunken", 4.5],
  ["control", "surface", 3],
  ["control", "sunken", 3],
];

describe("colours", () => {
  it.each(
    [null, "harbor", "ember", "contrast"].flatMap((theme) =>
      (["light", "dark"] as const).map((scheme) => [theme, scheme] as const),
    ),
  )("CARD-49 can be read, with and without a theme: %s in %s", (theme, scheme) => {
    const colours = coloursOf(theme, scheme);
    const ratio = (one: string, other: string): number => contrast(colours[one] ?? "", colours[other] ?? "");
    const least = theme === "contrast" ? 7 : 0;
    const faint = pairs.filter(([one, other, needs]) => !(ratio(one, other) >= Math.max(needs, least)));
    expect(faint).toEqual([]);
  });

  it.each(["harbor", "ember", "contrast"])("CARD-49 of a theme are all roles of the card: %s", (theme) => {
    const roles = [...read(`./${theme}.css`).matchAll(/--cs-([\w-]+): #/g)].map(([, role]) => role ?? "");
    const known = Object.keys(ownColours("light")).flatMap((role) => [role, `dark-${role}`]);
    expect(roles.filter((role) => !known.includes(role))).toEqual([]);
  });
});
