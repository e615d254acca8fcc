/** Every dimension's values, by the dimension's name. */
export type Dimensions = { readonly [name: string]: readonly string[] };

type Row<Of extends Dimensions> = { readonly [name in keyof Of]: Of[name][number] };

const pair = (one: string, value: string, other: string, otherValue: string): string =>
  JSON.stringify([
    [one, value],
    [other, otherValue],
  ]);

/** The pairs of values that a row, as far as it is filled, puts together. */
function pairsOf(row: { readonly [name: string]: string }): readonly string[] {
  const filled = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
  return filled.flatMap(([one, value], at) =>
    filled.slice(at + 1).map(([other, otherValue]) => pair(one, value, other, otherValue)),
  );
}

/**
 * Few rows in which every two values of different dimensions meet; the same rows at each call. Values of the two
 * dimensions in `seldom` meet as often as `atLeast` rows allow.
 */
export function pairwise<const Of extends Dimensions>(
  dimensions: Of,
  { seldom, atLeast }: { readonly seldom: readonly [keyof Of, keyof Of]; readonly atLeast: number },
): readonly Row<Of>[] {
  const names = Object.keys(dimensions).sort();
  const missing = new Set(
    names.flatMap((one, at) =>
      names
        .slice(at + 1)
        .flatMap((other) =>
          (dimensions[one] ?? []).flatMap((value) =>
            (dimensions[other] ?? []).map((otherValue) => pair(one, value, other, otherValue)),
          ),
        ),
    ),
  );
  const maySpare = (each: string): boolean =>
    (JSON.parse(each) as readonly (readonly [string])[]).every(([name]) => seldom.includes(name));
  const rows: Row<Of>[] = [];
  while (true) {
    const first =
      [...missing].find((each) => !maySpare(each)) ?? (rows.length < atLeast ? [...missing][0] : undefined);
    if (first === undefined) return rows;
    let row: { readonly [name: string]: string } = Object.fromEntries(JSON.parse(first));
    for (const name of names.filter((each) => !(each in row))) {
      const gain = (value: string): number =>
        pairsOf({ ...row, [name]: value }).filter((each) => missing.has(each)).length;
      const [best = ""] = [...(dimensions[name] ?? [])].sort((one, other) => gain(other) - gain(one));
      row = { ...row, [name]: best };
    }
    for (const each of pairsOf(row)) missing.delete(each);
    rows.push(row as Row<Of>);
  }
}
