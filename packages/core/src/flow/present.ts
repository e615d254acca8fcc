import type { By, UndeliveredReason } from "./events.ts";
import { happen, type Ruling, refuse, repeat, whyClosed } from "./ruling.ts";
import type { Write } from "./write.ts";

/** A chat platform took the prompt of a version. */
export type Present = { readonly type: "present"; readonly version: number; readonly account: string };

/** A version could not be shown in a chat. */
export type Undeliver = {
  readonly type: "undeliver";
  readonly version: number;
  readonly account: string;
  readonly reason: UndeliveredReason;
  readonly code: string | null;
};

const by: By = { kind: "system", ref: null };

/** What became of showing a version counts only while it is the one to decide on. */
function ruleOnVersion(write: Write, version: number): Ruling | undefined {
  if (write.state !== "proposed") return refuse({ refused: whyClosed(write) });
  return version === write.version ? undefined : refuse({ refused: "stale_version" });
}

export function present(write: Write, { version, account }: Present): Ruling {
  return ruleOnVersion(write, version) ?? happen({ type: "presented", by, body: { version, account } });
}

/** The same reason twice is one event: a prompt that is sent again fails again. */
export function undeliver(write: Write, command: Undeliver): Ruling {
  const { version, account, reason, code } = command;
  const refused = ruleOnVersion(write, version);
  if (refused) return refused;
  if (write.undelivered === reason) return repeat;
  return happen({ type: "undelivered", by, body: { version, account, reason, code } });
}
