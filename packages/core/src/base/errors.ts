/** A wrong configuration or tool definition: what is wrong, where, and what to do next. */
export class ConfigurationError extends Error {
  override readonly name: string = "ConfigurationError";
}

/** A broken promise between parts of the program, or stored material that does not hold together. */
export class IntegrityError extends Error {
  override readonly name = "IntegrityError";
}

/**
 * A store that cannot be used for now: locked for too long, full, or not writable. What was asked changed nothing and may
 * be asked again.
 */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/**
 * Where in the code an error was made, for a log: at most eight lines of its stack.
 *
 * Its message may hold arguments or secrets, and lines that look like a stack; only what stands after it is taken.
 */
export function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || typeof error.stack !== "string") return [];
  const end = error.stack.indexOf(error.message) + error.message.length;
  if (end < error.message.length) return [];
  return error.stack
    .slice(end)
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8);
}

/** Ends a `switch` over a closed union: the compiler proves that nothing is left. */
export function unreachable(value: never): never {
  throw new IntegrityError(`unreachable case: ${JSON.stringify(value)}`);
}
