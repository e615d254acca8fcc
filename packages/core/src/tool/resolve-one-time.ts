import { type Pointer, toPointer } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import type { Fail } from "./check-text.ts";
import type { WriteDefinition } from "./define.ts";
import { checkList, resolvePointer } from "./resolve-display.ts";
import { contains } from "./resolve-receipt.ts";

/** The places of the result that are never stored: each of the output schema, and none of them on the receipt. */
export function resolveOneTime(
  { oneTime, presentation }: WriteDefinition<never, never, never>,
  outputSchema: JsonSchema,
  at: (what: string) => never,
): readonly Pointer[] {
  const fail: Fail = (where, problem) => at(`${where}: ${problem}`);
  const pointers = checkList(oneTime, "oneTime", fail).map((text, index) =>
    resolvePointer(text, outputSchema, `oneTime[${index}]`, fail),
  );
  for (const field of presentation?.receipt?.fields ?? []) {
    if (!("result" in field)) continue;
    const shown = toPointer(field.result);
    const secret = pointers.find((pointer) => contains(shown, pointer) || contains(pointer, shown));
    if (secret !== undefined)
      at(
        `presentation.receipt shows "${shown}", and "${secret}" is handed out once and never stored; remove one`,
      );
  }
  return pointers;
}
