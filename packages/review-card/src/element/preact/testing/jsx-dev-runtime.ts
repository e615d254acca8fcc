import { createElement } from "../react.ts";

export { Fragment } from "preact";

/** As React's: what a test's JSX is compiled to. */
export const jsxDEV = (type: unknown, props: object, key: unknown): unknown =>
  createElement(type, { ...props, ...(key !== undefined && { key }) });
