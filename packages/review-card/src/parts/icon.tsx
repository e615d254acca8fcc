import type { ReactElement } from "react";

const circle = "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0";
/** The drawings a card may carry.  of them says anything that its words do not. */
export type IconName = "check" | "minus" | "clock" | "info" | "alert" | "search" | "arrow" | "down";

const paths: { readonly [name in IconName]: string } = {
  check: "m5 10.5 3.5 3.5L15 7",
  minus: "M5.5 10h9",
  clock: `${circle}M10 6v4.2l2.6 1.6`,
  info: `${circle}M10 9.4v4m0-6.8v.1`,
  alert: "M10 3.2 17.4 16H2.6zm0 5v3.4m0 2.1v.1",
  search: "M14 9A5 5 0 1 1 4 9a5 5 0 0 1 10 0m-1 4 3.5 3.5",
  arrow: "M4 10h12m-4-4 4 4-4 4",
  down: "m6 8 4 4 4-4",
};

/** Decoration beside words, hidden from assistive technology. */
export const icon = (name: IconName): ReactElement => (
  <svg className={`cs-icon cs-icon-${name}`} viewBox="0 0 20 20" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
