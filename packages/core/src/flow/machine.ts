import type { Instant } from "../base/clock.ts";
import { IntegrityError, unreachable } from "../base/errors.ts";
import {
  type Confirm,
  confirm,
  type Decline,
  decline,
  type Expire,
  expire,
  type Withdraw,
  withdraw,
} from "./decide.ts";
import {
  type Drift,
  drift,
  type Rebind,
  rebind,
  type Supersede,
  supersede,
  type Verify,
  verify,
} from "./identity.ts";
import {
  type Check,
  check,
  endLease,
  endStepUp,
  type Rerun,
  type Resolve,
  rerun,
  resolve,
  type Settle,
  settle,
} from "./outcome.ts";
import { type Present, present, type Undeliver, undeliver } from "./present.ts";
import { type Propose, propose } from "./propose.ts";
import { type Edit, type Extend, edit, extend } from "./review.ts";
import type { Ruling } from "./ruling.ts";
import type { Write } from "./write.ts";

/** The lease of a run, or the wait for a step-up, is over. */
export type EndLease = {
  readonly type: "endLease";
  readonly at: Instant;
  readonly salt: string;
  readonly nextCheckAt: Instant | null;
};
export type EndStepUp = { readonly type: "endStepUp"; readonly at: Instant; readonly salt: string };

/** Everything that can be asked of a write. */
export type Command =
  | Propose
  | Present
  | Undeliver
  | Edit
  | Extend
  | Confirm
  | Decline
  | Withdraw
  | Expire
  | Supersede
  | Rebind
  | Drift
  | Verify
  | Settle
  | Rerun
  | EndLease
  | EndStepUp
  | Resolve
  | Check;

/** Rules on one command. Pure: no clock, no randomness, nothing read or written. */
export function rule(write: Write | undefined, command: Command): Ruling {
  if (command.type === "propose") {
    if (write) throw new IntegrityError(`write ${write.id} was proposed before`);
    return propose(command);
  }
  if (!write) throw new IntegrityError(`"${command.type}" needs a write`);
  switch (command.type) {
    case "present":
      return present(write, command);
    case "undeliver":
      return undeliver(write, command);
    case "edit":
      return edit(write, command);
    case "extend":
      return extend(write, command);
    case "confirm":
      return confirm(write, command);
    case "decline":
      return decline(write, command);
    case "withdraw":
      return withdraw(write, command);
    case "expire":
      return expire(write, command);
    case "supersede":
      return supersede(write, command);
    case "rebind":
      return rebind(write, command);
    case "drift":
      return drift(write, command);
    case "verify":
      return verify(write, command);
    case "settle":
      return settle(write, command);
    case "rerun":
      return rerun(write, command);
    case "endLease":
      return endLease(write, command.at, command.salt, command.nextCheckAt);
    case "endStepUp":
      return endStepUp(write, command.at, command.salt);
    case "resolve":
      return resolve(write, command);
    case "check":
      return check(write, command);
    default:
      return unreachable(command);
  }
}
