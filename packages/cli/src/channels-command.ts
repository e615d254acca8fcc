import { parseArgs } from "node:util";
import { ConfigurationError, type SetupProblem } from "@countersign/core";
import { loadConfig } from "./load-config.ts";
import { nearest } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

/** `countersign channels --help`. */
const channelsHelp = `Usage: countersign channels check [ACCOUNT] [options]

Asks the platforms whether the chat accounts of the configuration are set up: token, number or page, webhook, and the fields
that it has to be subscribed to. Sends nothing to anybody and changes nothing.

Options:
  --config FILE   default: countersign.config.ts, .js or .mjs in this folder
  --json          one line of JSON for each account
  --help

Exit codes: 0 nothing is wrong, 1 something is, 2 not understood.`;

const checkMs = 30_000;

function linesOf(account: string, kind: string, problems: readonly SetupProblem[]): string {
  if (problems.length === 0) return `${account} (${kind}): nothing is wrong that the platform tells`;
  const lines = problems.map(
    ({ what, where, next }) => `  - ${what}\n    where: ${where}\n    next:  ${next}`,
  );
  return [
    `${account} (${kind}): ${problems.length === 1 ? "one problem" : `${problems.length} problems`}`,
    ...lines,
  ].join("\n");
}

/** Runs `countersign channels`; resolves with the exit code. */
export async function channelsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(channelsHelp);
    return 0;
  }
  const [action, account, ...more] = positionals;
  if (action !== "check" || more.length > 0)
    throw new UsageError("write: countersign channels check [ACCOUNT]");
  const { path, config } = await loadConfig(process.cwd(), values.config);
  try {
    const channels = Object.entries(config.channels ?? {});
    if (channels.length === 0) {
      throw new ConfigurationError(
        `${path} has no "channels": add one, such as { support_wa: whatsapp({ … }) }`,
      );
    }
    const names = channels.map(([name]) => name);
    if (account !== undefined && !names.includes(account)) {
      const near = nearest(account, names);
      throw new UsageError(
        `${path} has no channel account "${account}". ${near ? `Did you mean "${near}"?` : `There is: ${names.join(", ")}.`}`,
      );
    }
    const asked = channels.filter(([name]) => account === undefined || name === account);
    const found = await Promise.all(
      asked.map(async ([name, channel]) => {
        const context = { webhookPath: `/v1/channels/${name}/webhook`, signal: AbortSignal.timeout(checkMs) };
        return { account: name, kind: channel.kind, problems: await channel.check(context) };
      }),
    );
    for (const one of found) {
      console.log(values.json ? JSON.stringify(one) : linesOf(one.account, one.kind, one.problems));
    }
    return found.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } finally {
    await config.store.close();
  }
}
