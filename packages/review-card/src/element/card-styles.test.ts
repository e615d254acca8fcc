import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shadowStyles } from "./card-styles.ts";

const ofFile = shadowStyles(readFileSync(new URL("../card.css", import.meta.url), "utf8"));

describe("the element's style sheet", () => {
  it("EMBED-2 measures in the customer's text size, whatever size the page's root has", () => {
    const text =
      "/* one */ .a { width: 1rem; height: calc(2 * 0.5rem); }\n@container x (inline-size < 22rem) { .b { top: 2rem } }";
    expect(shadowStyles(text).slice(shadowStyles("").length)).toBe(
      ".a{width:var(--_rem);height:calc(2 * calc(0.5*var(--_rem)))}@container x (inline-size < 352px){.b{top:calc(2*var(--_rem))}}",
    );
    expect(ofFile.match(/[\d.]+rem\b/g)).toBeNull();
  });

  it("EMBED-3 keeps every rule of the card's own", () => {
    const count = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;
    const source = readFileSync(new URL("../card.css", import.meta.url), "utf8").replaceAll(
      /\/\*[\s\S]*?\*\//g,
      "",
    );
    const own = shadowStyles("");
    for (const part of [/\{/g, /\}/g, /\.cs-/g, /var\(--cs-/g]) {
      expect(count(ofFile, part) - count(own, part)).toBe(count(source, part));
    }
  });
});
