import { describe, expect, it } from "vitest";
import { nearest, suggestion } from "./suggest.ts";

describe("suggesting what was meant", () => {
  it("TOOL-1 finds the nearest name, and none where all are far", () => {
    const known = ["title", "label", "orderId"];
    expect(["titel", "LABEL", "orderid", "xyz", "recipient"].map((name) => nearest(name, known))).toEqual([
      "title",
      "label",
      "orderId",
      undefined,
      undefined,
    ]);
  });

  it("TOOL-1 ends a message with the near name, else with what there is", () => {
    expect([
      suggestion("lable", ["label"]),
      suggestion("xyz", ["label", "title"]),
      suggestion("xyz", []),
    ]).toEqual([' Did you mean "label"?', " There is: label, title.", ""]);
  });
});
