import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = fileURLToPath(new URL("../node_modules/@countersign/cli/dist/bin.js", import.meta.url));
const secret = () => randomBytes(32).toString("hex");

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = probe.address();
  await new Promise((resolve) => probe.close(() => resolve(undefined)));
  return typeof address === "object" && address ? address.port : 0;
}

/** A `countersign serve` process that can be killed at any moment and started again on the same file. */
export async function makeServer({ file, shopUrl }) {
  const port = await freePort();
  const keys = { agent: secret(), host: secret(), operator: secret() };
  const env = {
    ...process.env,
    CRASH_DB: file,
    SHOP_URL: shopUrl,
    AGENT_KEY: keys.agent,
    HOST_KEY: keys.host,
    OPERATOR_KEY: keys.operator,
    SESSION_SECRET: secret(),
  };
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;

  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    /** Resolves when the server printed its URL. */
    async start() {
      const args = [bin, "serve", "--config", `${here}countersign.config.mjs`, "--port", String(port)];
      const started = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      let output = "";
      await new Promise((resolve, reject) => {
        const more = (chunk) => {
          output += chunk;
          if (output.includes("http://")) resolve(undefined);
        };
        started.stdout.on("data", more);
        started.stderr.on("data", more);
        started.once("exit", (code) =>
          reject(new Error(`the server ended with ${code} before it was ready:\n${output}`)),
        );
      });
    },
    /** Kills without warning: no handler runs, nothing is flushed. */
    async kill() {
      const killed = child;
      if (!killed) return;
      const gone = new Promise((resolve) => killed.once("exit", resolve));
      killed.kill("SIGKILL");
      await gone;
    },
    /** Asks for an orderly end and answers with the exit code. */
    async stop() {
      const stopped = child;
      if (!stopped) return 0;
      const gone = new Promise((resolve) => stopped.once("exit", resolve));
      stopped.kill("SIGTERM");
      return gone;
    },
  };
}
