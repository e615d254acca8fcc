import { ConfigurationError, IntegrityError, UnavailableError } from "@countersign/core";

// Codes are those of "Appendix A. PostgreSQL Error Codes" (postgresql.org, read November 2026).

/** The five characters with which the server says what is wrong; undefined when it was not the server that spoke. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
}

/** Whether the server refused one thing and goes on with the next on the same connection. */
export function isAnswer(error: unknown): boolean {
  return (
    error instanceof IntegrityError ||
    error instanceof LostRace ||
    (codeOf(error) !== undefined &&
      error instanceof Error &&
      "severity" in error &&
      error.severity === "ERROR")
  );
}

/** Somebody who holds no lock of ours was faster; what was read before does not hold any more. */
export class LostRace extends Error {
  override readonly name = "LostRace";
}

/** Whether a transaction was taken back that may well succeed the next time: a deadlock, or a lost race. */
export function isLostRace(error: unknown): boolean {
  return error instanceof LostRace || isCode(error, "40P01", "40001", "23505");
}

/** Whether the server said one of these. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? "");
}

const misconfigured: Readonly<Record<string, string>> = {
  "28000": "let its user in, with the right way of signing in",
  "28P01": "give the right user and password",
  "3D000": "create the database, or give the name of one that is there",
  "42501": "grant its user what it needs: to create the schema countersign and to read and write its tables",
};

/** Classes of codes for what passes: broken connections, spent resources, a server that stops or lets nobody write. */
const passing = ["08", "25006", "40", "53", "55P03", "57", "58"];

/** What to tell a caller of what went wrong with `database`, when nothing was changed. */
export function explain(error: unknown, database: string): unknown {
  if (
    error instanceof ConfigurationError ||
    error instanceof IntegrityError ||
    error instanceof UnavailableError ||
    error instanceof RangeError ||
    !(error instanceof Error)
  )
    return error;
  const code = codeOf(error);
  if (code === undefined || passing.some((one) => code.startsWith(one))) {
    return new UnavailableError(
      `the database ${database} cannot be used for now (${error.message || code || error.name}) and nothing was changed; ` +
        "see that its server runs, can be reached and lets this process write, and ask again",
      { cause: error },
    );
  }
  const advice = misconfigured[code];
  if (advice === undefined) return error;
  return new ConfigurationError(
    `the database ${database} refuses this process (${error.message}); ${advice}`,
    {
      cause: error,
    },
  );
}

/** What to tell the caller of an append whose answer was lost, while nobody can be asked what became of it. */
export function unknownOutcome(cause: unknown, database: string): UnavailableError {
  return new UnavailableError(
    `the connection to the database ${database} was lost before it answered, and it could not be asked since; ` +
      "read again what stands before asking again",
    { cause },
  );
}
