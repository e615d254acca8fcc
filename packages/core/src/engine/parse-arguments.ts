import type { JsonObject } from "../base/json.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Tool } from "../tool/define.ts";
import type { Kernel } from "./kernel.ts";

/** A tool's arguments, checked, with their canonical text; a schema that throws or contradicts itself is the tool's failure. */
export async function parseArguments(
  kernel: Kernel,
  tool: Tool,
  given: unknown,
): Promise<{ readonly args: JsonObject; readonly text: string } | Refusal> {
  try {
    const parsed = await tool.parseInput(given);
    return "issues" in parsed ? { refused: "invalid_arguments", issues: parsed.issues } : parsed;
  } catch (error) {
    kernel.report(error, `reading arguments of tool "${tool.name}"`);
    return { refused: "tool_failed" };
  }
}
