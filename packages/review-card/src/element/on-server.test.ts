import { expect, it } from "vitest";
import { addMessages, ReviewCardElement } from "./index.ts";

it("EMBED-1 can be imported by a server that renders pages, where there are no elements", () => {
  expect([typeof globalThis.HTMLElement, typeof ReviewCardElement, typeof addMessages]).toEqual([
    "undefined",
    "function",
    "function",
  ]);
});
