import type { Instant } from "../base/clock.ts";
import type { Content } from "./content.ts";
import type { By } from "./events.ts";
import { versionBody } from "./propose.ts";
import { happen, type Ruling, refuse, whyClosed } from "./ruling.ts";
import type { Write } from "./write.ts";

/** The customer's changed fields, validated and composed into a new version. */
export type Edit = {
  readonly type: "edit";
  readonly at: Instant;
  readonly by: By;
  /** The version the customer was looking at. */
  readonly version: number;
  readonly content: Content;
  readonly changed: readonly string[];
};

/** "More time". */
export type Extend = {
  readonly type: "extend";
  readonly at: Instant;
  readonly by: By;
  readonly version: number;
  readonly extend: { readonly seconds: number; readonly times: number } | undefined;
};

/** Rules on whether the version on the customer's screen may still be changed or extended. */
export function ruleOnReview(
  write: Write,
  command: { readonly at: Instant; readonly version: number },
): Ruling | undefined {
  if (write.state !== "proposed") return refuse({ refused: whyClosed(write) });
  if (command.at >= write.expiresAt) return refuse({ refused: "expired" });
  if (command.version !== write.version) return refuse({ refused: "stale_version" });
  return undefined;
}

/** A valid edit is the next version; it keeps the expiry of the one before. */
export function edit(write: Write, command: Edit): Ruling {
  const refused = ruleOnReview(write, command);
  if (refused) return refused;
  return happen({
    type: "edited",
    by: command.by,
    body: { ...versionBody(command.content, write.version + 1, write.expiresAt), changed: command.changed },
    plain: command.content.plain,
  });
}

/** More time on top of what is left, as often as the tool allows. */
export function extend(write: Write, command: Extend): Ruling {
  const refused = ruleOnReview(write, command);
  if (refused) return refused;
  if (!command.extend || write.extensions >= command.extend.times)
    return refuse({ refused: "not_extendable" });
  const expiresAt = write.expiresAt + command.extend.seconds * 1000;
  return happen({ type: "extended", by: command.by, body: { version: write.version, expiresAt } });
}
