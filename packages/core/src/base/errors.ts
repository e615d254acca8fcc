/** A wrong configuration or tool definition: what is wrong, where, and what to do next. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
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

/** Ends a `switch` over a closed union: the compiler proves that nothing is left. */
export function unreachable(value: never): never {
  throw new IntegrityError(`unreachable case: ${JSON.stringify(value)}`);
}
