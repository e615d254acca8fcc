import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The shop in its own process. */
export type ShopProcess = { readonly url: string; stop(): Promise<void> };

const started = z.object({ url: z.string() });

/** Starts the shop beside this server and resolves when it listens. */
export async function startShopProcess(options: {
  readonly file: string;
  readonly apiKey: string;
}): Promise<ShopProcess> {
  const child = fork(fileURLToPath(new URL("./shop.js", import.meta.url)), {
    env: { ...process.env, SHOP_FILE: options.file, SHOP_API_KEY: options.apiKey, SHOP_PORT: "0" },
  });
  const listening = once(child, "message").then(([message]) => started.parse(message).url);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(
      `The shop's process ended with ${String(code)} before it listened. Its messages stand above.`,
    );
  });
  ended.catch(() => {});
  const url = await Promise.race([listening, ended]);
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}
