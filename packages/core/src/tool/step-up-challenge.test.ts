import fc from "fast-check";
import { expect, test } from "vitest";
import { stepUpRequired } from "./outcome.ts";
import { stepUpFromChallenge } from "./step-up-challenge.ts";

const asked = 'error="insufficient_user_authentication"';

test.each([
  [
    "level and age",
    `Bearer ${asked}, acr_values="standard", max_age="300"`,
    { level: "standard", maxAuthAgeSeconds: 300 },
  ],
  ["an age alone", `Bearer ${asked}, max_age="60"`, { maxAuthAgeSeconds: 60 }],
  ["an age without quotes", `Bearer ${asked}, max_age=60`, { maxAuthAgeSeconds: 60 }],
  ["an age of nothing", `Bearer ${asked}, max_age="0"`, { maxAuthAgeSeconds: 0 }],
  ["neither level nor age", `Bearer ${asked}`, { level: "high" }],
  ["an error without quotes", "Bearer error=insufficient_user_authentication", { level: "high" }],
  ["the first known of several levels", `Bearer ${asked}, acr_values="urn:x low high"`, { level: "low" }],
  ["no known level", `Bearer ${asked}, acr_values="urn:gold urn:silver"`, { level: "high" }],
  ["a blank list of levels", `Bearer ${asked}, acr_values="  "`, { level: "high" }],
  [
    "odd case of scheme and names",
    `bEaReR ERROR="insufficient_user_authentication", Max_Age="5"`,
    { maxAuthAgeSeconds: 5 },
  ],
  ["another token scheme", `DPoP algs="ES256", ${asked}, max_age="5"`, { maxAuthAgeSeconds: 5 }],
  [
    "commas and quotes inside of a text",
    `Bearer realm="a, \\"b\\" error=x, max_age=1", ${asked}, max_age="7"`,
    { maxAuthAgeSeconds: 7 },
  ],
  [
    "an escaped error",
    'Bearer error="insufficient\\_user_authentication", max_age="7"',
    { maxAuthAgeSeconds: 7 },
  ],
  [
    "white space around the equals sign",
    `Bearer error = "insufficient_user_authentication" , max_age = 7`,
    { maxAuthAgeSeconds: 7 },
  ],
  ["empty list elements", `, ,Bearer ${asked},, max_age="7",`, { maxAuthAgeSeconds: 7 }],
  [
    "a later one of several challenges",
    `Basic realm="shop", Bearer ${asked}, max_age="7"`,
    { maxAuthAgeSeconds: 7 },
  ],
  [
    "one before another",
    `Bearer ${asked}, max_age="7", Basic realm="shop", max_age="9"`,
    { maxAuthAgeSeconds: 7 },
  ],
  ["one behind a credential", `Negotiate YWJj==, Bearer ${asked}, max_age="7"`, { maxAuthAgeSeconds: 7 }],
  ["one behind a bare scheme", `Negotiate, Bearer ${asked}, max_age="7"`, { maxAuthAgeSeconds: 7 }],
  [
    "one behind a broken one",
    `Bearer ${asked}, max_age="1", max_age="2", DPoP ${asked}, max_age="7"`,
    { maxAuthAgeSeconds: 7 },
  ],
  ["an age of more than a day", `Bearer ${asked}, max_age="86401"`, { maxAuthAgeSeconds: 86_400 }],
  [
    "an age beyond any number",
    `Bearer ${asked}, max_age="${"9".repeat(400)}"`,
    { maxAuthAgeSeconds: 86_400 },
  ],
  ["a negative age", `Bearer ${asked}, max_age="-1"`, { level: "high" }],
  ["an age that is no whole number", `Bearer ${asked}, acr_values="low", max_age="1.5"`, { level: "low" }],
] as const)("TOOL-6 a challenge with %s is read", (_name, header, need) => {
  expect(stepUpFromChallenge(header)).toEqual(stepUpRequired(need));
});

test.each([
  ["no header", null],
  ["no header at all", undefined],
  ["an empty header", ""],
  ["another error", 'Bearer error="invalid_token", max_age="5"'],
  ["the error as part of a text", `Bearer realm="${asked.replaceAll('"', '\\"')}"`],
  ["the error in another case", 'Bearer error="Insufficient_User_Authentication"'],
  ["a parameter twice", `Bearer ${asked}, max_age="1", MAX_AGE="1"`],
  ["parameters without scheme", `${asked}, max_age="5"`],
  ["a text without end", `Bearer ${asked}, max_age="5`],
  ["nothing behind the equals sign", `Bearer ${asked}, max_age=`],
])("TOOL-6 %s is no step-up challenge", (_name, header) => {
  expect(stepUpFromChallenge(header)).toBeUndefined();
});

test("TOOL-6 a provider's own names for levels can be mapped", () => {
  const header = `Bearer ${asked}, acr_values="toString urn:silver urn:gold"`;
  expect(stepUpFromChallenge(header, { levels: { "urn:gold": "high", "urn:silver": "standard" } })).toEqual(
    stepUpRequired({ level: "standard" }),
  );
});

test("TOOL-6 whatever a provider sends, reading it ends in a challenge or in none", () => {
  const piece = fc.constantFrom(
    "Bearer",
    " ",
    ",",
    "=",
    '"',
    "\\",
    asked,
    'max_age="5"',
    "acr_values",
    "é",
    "\n",
    "YQ==",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const found = stepUpFromChallenge(pieces.join(""));
      expect(found === undefined || typeof found === "object").toBe(true);
    }),
    { numRuns: 300 },
  );
});
