import { describe, expect, it } from "vitest";
import { humanise, humanLabel } from "./human-label.ts";

describe("labels that no author wrote", () => {
  it("CARD-4 turn a member's name into words", () => {
    expect(
      [
        "orderId",
        "shipping_address",
        "customer-name",
        "SKU",
        "orderSKU",
        "IBANNumber",
        "line1",
        "_",
        "a.b",
      ].map(humanise),
    ).toEqual([
      "Order id",
      "Shipping address",
      "Customer name",
      "SKU",
      "Order SKU",
      "IBAN number",
      "Line1",
      "_",
      "A b",
    ]);
  });

  it("CARD-4 prefer the schema's title, name the parents first, and leave undeclared names as they are", () => {
    const schema = {
      properties: {
        address: { title: "Ship to", properties: { postCode: { type: "string" } } },
        lines: { type: "array", items: { properties: { sku: {} } } },
      },
    };
    expect(
      ["/address/postCode", "/lines/0/sku", "/madeUp", "/address/madeUp"].map((at) => humanLabel(schema, at)),
    ).toEqual(["Ship to › Post code", "Lines › 1 › Sku", "madeUp", "Ship to › madeUp"]);
  });
});
