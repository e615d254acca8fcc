import { parseArgs } from "node:util";
import { framesOf } from "@countersign/core";
import { loadConfig } from "./load-config.ts";
import { type Role, serveConfig } from "./serve-config.ts";
import { nearest } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

/** `countersign serve --help`. */
const serveHelp = `Usage: countersign serve [options]

Serves the configuration until SIGTERM or SIGINT, then finishes what runs (at most 30 s).

Options:
  --config FILE   default: countersign.config.ts, .js or .mjs in this folder
  --port PORT     default: 4820; 0 takes any free port
  --host HOST     default: 127.0.0.1 (this machine only)
  --role ROLE     web: answers requests; worker: does what falls due and makes deliveries, and answers only /healthz
                  and /readyz; all: both. Default: all. Any number of each may share a database.
  --help`;

const roles: readonly Role[] = ["web", "worker", "all"];

function roleOf(text: string): Role {
  const role = roles.find((one) => one === text);
  if (role !== undefined) return role;
  const near = nearest(text, roles);
  throw new UsageError(
    `--role is web, worker or all, not "${text}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
  );
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port is a number from 0 to 65535, not "${text}"`);
}

/**
 * Resolves with the exit code once the server shall end. The first signal asks for an orderly end, the second one ends at
 * once. So does an error that nobody caught: after it no promise of Node's holds, but the runs of others can still be
 * finished and recorded.
 */
async function untilAsked(): Promise<number> {
  return await new Promise<number>((resolve) => {
    let asked = false;
    const ask = (code: number): void => {
      if (asked) process.exit(1);
      asked = true;
      resolve(code);
    };
    process.on("SIGTERM", () => ask(0));
    process.on("SIGINT", () => ask(0));
    process.on("uncaughtException", (error: unknown) => {
      const name = error instanceof Error ? `an ${error.name}` : `a ${typeof error}`;
      const what = `countersign: ${name} was thrown where nobody catches it; the server finishes what runs and ends`;
      console.error([what, ...framesOf(error)].join("\n"));
      // Only a signal cuts off what is being finished.
      if (!asked) ask(1);
    });
  });
}

/** Runs `countersign serve`; resolves with the exit code after the server has stopped. */
export async function serveCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: { type: "string" },
      port: { type: "string", default: "4820" },
      host: { type: "string", default: "127.0.0.1" },
      role: { type: "string", default: "all" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(serveHelp);
    return 0;
  }
  const port = portOf(values.port);
  const role = roleOf(values.role);
  const asked = untilAsked();
  const { config } = await loadConfig(process.cwd(), values.config);
  const server = await serveConfig(config, { port, host: values.host, role });
  process.on("unhandledRejection", (reason) => {
    // A promise that a tool let go of must not cut off the runs of others.
    console.error(
      `countersign: unhandled rejection (${reason instanceof Error ? reason.name : typeof reason}); a tool lets a promise go unawaited`,
    );
  });
  console.log(`countersign is ready at ${server.url}`);
  const code = await asked;
  await server.close();
  return code;
}
