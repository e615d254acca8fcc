import { expect, test } from "vitest";
import { spellingsOf } from "./ids.ts";

test("CHAN-17 a mobile number of Mexico, Argentina or Brazil is found under both of its spellings", () => {
  const pairs = [
    ["525550100200", "5215550100200"],
    ["541155501002", "5491155501002"],
    ["551196550100", "5511996550100"],
  ];
  for (const [one = "", other = ""] of pairs) {
    expect([spellingsOf(one), spellingsOf(other)]).toEqual([[other], [one]]);
  }
  expect(spellingsOf("15550100200")).toEqual([]);
});
