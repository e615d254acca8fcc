/** How many sequences to run: `MODEL_RUNS` where it is a number, `long` where it says so, else `short`. */
export function runs(short: number, long: number): number {
  const wanted = process.env.MODEL_RUNS ?? "";
  return wanted === "long" ? long : wanted === "" ? short : Number(wanted);
}

/** The seed of `MODEL_SEED`; another one each time without it. */
export const seed: { readonly seed?: number } =
  process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) };
