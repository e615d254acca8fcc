import { describe, expect, it } from "vitest";
import { declaredPointers, locate, memberNames } from "./locate-schema.ts";

const root = {
  properties: {
    plain: { type: "string" },
    maybe: { anyOf: [{ $ref: "#/$defs/size" }, { type: "null" }] },
    either: {
      oneOf: [
        { properties: { a: { type: "string" } } },
        { properties: { b: { type: "number" } }, required: ["b"] },
      ],
    },
    both: { allOf: [{ $ref: "#/$defs/size" }, { properties: { extra: { type: "boolean" } } }] },
    pair: { prefixItems: [{ type: "string" }, { type: "number" }] },
    "a/b": { type: "string" },
    self: { $ref: "#" },
    circle: { $ref: "#/$defs/circle" },
    away: { $ref: "https://schemas.example/x.json" },
  },
  required: ["plain", "either"],
  $defs: {
    size: { type: "object", properties: { width: { type: "integer" } }, required: ["width"] },
    circle: { $ref: "#/$defs/circle" },
  },
};

describe("finding a place in a JSON Schema", () => {
  it.each([
    ["/plain", { schema: { type: "string" }, nullable: false, required: true }],
    ["/maybe", { schema: root.$defs.size, nullable: true, required: false }],
    ["/maybe/width", { schema: { type: "integer" }, nullable: false, required: false }],
    ["/either/a", { schema: { type: "string" }, nullable: false, required: false }],
    ["/either/b", { schema: { type: "number" }, nullable: false, required: true }],
    ["/both/width", { schema: { type: "integer" }, nullable: false, required: false }],
    ["/both/extra", { schema: { type: "boolean" }, nullable: false, required: false }],
    ["/pair/1", { schema: { type: "number" }, nullable: false, required: false }],
    ["/a~1b", { schema: { type: "string" }, nullable: false, required: false }],
    ["/self/self/plain", { schema: { type: "string" }, nullable: false, required: false }],
    ["/away", { schema: {}, nullable: false, required: false }],
  ])("CARD-18 finds %s", (pointer, place) => {
    expect(locate(root, pointer)).toEqual(place);
  });

  it.each(["/none", "/plain/below", "/circle/below", "/away/below", "/pair/x", "/toString"])(
    "CARD-18 finds nothing at %s",
    (pointer) => {
      expect(locate(root, pointer)).toBeUndefined();
    },
  );

  it("CARD-18 names the members of all branches, and what stands below them, without end", () => {
    expect(memberNames(root, root.properties.both)).toEqual(["extra", "width"].sort().reverse());
    expect(declaredPointers(root, 2)).toContain("/self/self");
  });
});
