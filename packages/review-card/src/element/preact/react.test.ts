import { describe, expect, it } from "vitest";
import { createElement } from "./react.ts";

const Part = (): null => null;

const propsOf = (type: string, props: object): unknown =>
  (createElement(type, props as never) as { props: unknown }).props;

describe("React's names on Preact", () => {
  it("EMBED-8 listens to what is typed as it is typed, and to a choice when it is made", () => {
    const onChange = (): void => {};
    expect(propsOf("input", { onChange, name: "a" })).toEqual({ onInput: onChange, name: "a" });
    expect(propsOf("textarea", { onChange })).toEqual({ onInput: onChange });
    expect(propsOf("select", { onChange })).toEqual({ onChange });
  });

  it("EMBED-8 hears of the focus of what stands inside, as React does", () => {
    const hear = (): void => {};
    expect(propsOf("div", { onFocus: hear, onBlur: hear })).toEqual({ onfocusin: hear, onfocusout: hear });
  });

  it("EMBED-8 hands a component exactly what it was given", () => {
    const props = { onChange: () => {}, autoFocus: true };
    expect((createElement(Part, props) as { props: unknown }).props).toEqual(props);
  });
});
