/** A wrong configuration or tool definition: what is wrong, where, and what to do next. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** A broken promise between parts of the program, or stored material that does not hold together. */
export class IntegrityError extends Error {
  override readonly name = "IntegrityError";
}

/** Ends a `switch` over a closed union: the compiler proves that nothing is left. */
export function unreachable(value: never): never {
  throw new IntegrityError(`unreachable case: ${JSON.stringify(value)}`);
}
