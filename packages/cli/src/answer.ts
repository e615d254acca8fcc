import { canonical, type Json } from "@countersign/core";

/** What a program reads of a command, as members of one object. */
export type Facts = { readonly [name: string]: Json };

/** What a command ends with when it did not do what it was asked. */
export type Failure = {
  /** Stable, in capitals, for programs. */
  readonly code: "FAILED" | "INVALID" | "NEWER_SCHEMA" | "NOT_EMPTY" | "PENDING" | "IN_USE" | "UNAVAILABLE";
  /** What happened and to which thing. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** The same for programs. */
  readonly details?: Facts;
};

/** By code: 1 failed, 4 what was named does not fit, 6 not for now, so the same command may be run again. */
const exitCodes: { readonly [Code in Failure["code"]]: 1 | 4 | 6 } = {
  FAILED: 1,
  PENDING: 1,
  INVALID: 4,
  NEWER_SCHEMA: 4,
  NOT_EMPTY: 4,
  IN_USE: 6,
  UNAVAILABLE: 6,
};

function line(facts: Facts): string {
  return canonical({ ...facts, schemaVersion: 1 });
}

/** Prints what a command did, as one line of JSON or as text, and answers with exit code 0. */
export function done(json: boolean, facts: Facts, text: string): number {
  console.log(json ? line(facts) : text);
  return 0;
}

/** Prints why a command did not do it on standard error, and answers with the exit code. */
export function failed(json: boolean, command: string, failure: Failure): number {
  const { code, message, hint, details = {} } = failure;
  const exitCode = exitCodes[code];
  const retryable = exitCode === 6;
  if (json) console.error(line({ error: { code, details, exitCode, hint, message, retryable } }));
  else console.error(`countersign ${command}: ${message}\n${hint}`);
  return exitCode;
}

/** Sentences of our errors say after a semicolon or colon what to do; here it is a line of its own. */
function split(text: string): { readonly message: string; readonly hint: string } {
  const at = text.lastIndexOf("; ");
  if (at < 0) return { message: text, hint: "Mend that, and run the same command again." };
  const hint = text.slice(at + 2);
  return { message: text.slice(0, at), hint: `${hint.slice(0, 1).toUpperCase()}${hint.slice(1)}.` };
}

/** What an error of a store or a configuration means for a command; undefined for one that is not theirs. */
export function failureOf(error: unknown): Failure | undefined {
  // Another copy of the core may have thrown it, so the class says nothing.
  if (!(error instanceof Error)) return undefined;
  if (error.name === "UnavailableError") return { code: "UNAVAILABLE", ...split(error.message) };
  if (error.name === "ConfigurationError") return { code: "FAILED", ...split(error.message) };
  return undefined;
}
