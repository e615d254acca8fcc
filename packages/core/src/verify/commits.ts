import { canonical } from "../base/canonical.ts";
import type { Json } from "../base/json.ts";
import type { Link } from "./chain.ts";
import { sha256 } from "./hash.ts";
import type { Note } from "./proof.ts";
import { nameOf } from "./read-event.ts";

/** The types of events that make a version, each of which binds arguments and card by a digest. */
const versionTypes: readonly string[] = ["proposed", "edited", "drifted", "rebound"];

/** True for an event that makes a version of the write. */
export function makesVersion(type: string): boolean {
  return versionTypes.includes(type);
}

async function checkPlain(
  { seq, event }: Link,
  plain: Readonly<Record<string, Json>>,
  note: Note,
): Promise<void> {
  const { salt, ...values } = plain;
  if (typeof salt !== "string" || !/^[0-9a-f]{32}$/.test(salt)) {
    note(seq, "plain.salt", "is no salt of 32 lower-case hexadecimal digits");
    return;
  }
  const names = Object.keys(values);
  if (names.length === 0 && Object.keys(event.commits).length === 0)
    note(seq, "plain", "is there although the event commits to nothing");
  for (const name of names) {
    if (!Object.hasOwn(event.commits, name)) note(seq, `plain.${nameOf(name)}`, "is covered by no commit");
  }
  for (const [name, commit] of Object.entries(event.commits)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) note(seq, `plain.${name}`, "is missing; what is erased has no plain at all");
    else if ((await sha256(salt + canonical(value))) !== commit)
      note(seq, `plain.${name}`, "is not what was committed to: it, plain.salt or the commit was changed");
  }
}

/** Computes the commits of an event again from its plain values, where they are still there, and a version's digest. */
export async function checkCommits(link: Link, note: Note): Promise<void> {
  const { seq, event } = link;
  const { body, commits, plain } = event;
  if (plain !== undefined) await checkPlain(link, plain, note);
  if (!makesVersion(event.type)) return;
  const { tool, toolVersion, principal, targets } = body;
  const { args, card } = commits;
  if (args === undefined || card === undefined) {
    note(seq, "commits", `has no commit to the ${args === undefined ? "arguments" : "card"} of this version`);
    return;
  }
  const bound = { tool, toolVersion, principal, targets };
  for (const [name, value] of Object.entries(bound)) {
    if (value !== undefined) continue;
    note(seq, `body.${name}`, "is missing, and the digest needs it");
    return;
  }
  const digest = await sha256(canonical({ v: 1, ...bound, argsCommit: args, cardCommit: card }));
  if (digest !== body.digest)
    note(seq, "body.digest", "is not the digest of this version's tool, principal, targets and commits");
}
