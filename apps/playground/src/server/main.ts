import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlayground } from "./start-playground.ts";

const { PORT, PLAYGROUND_DATA, PLAYGROUND_TIMEOUT_SECONDS, PLAYGROUND_OFFER_SECONDS } = process.env;

const playground = await startPlayground({
  port: Number(PORT ?? 4820),
  dataDir: PLAYGROUND_DATA ?? mkdtempSync(join(tmpdir(), "countersign-playground-")),
  ...(PLAYGROUND_TIMEOUT_SECONDS === undefined ? {} : { timeoutSeconds: Number(PLAYGROUND_TIMEOUT_SECONDS) }),
  ...(PLAYGROUND_OFFER_SECONDS === undefined ? {} : { offerSeconds: Number(PLAYGROUND_OFFER_SECONDS) }),
}).catch((error: unknown) => {
  const taken = error instanceof Error && String(error.cause ?? error).includes("EADDRINUSE");
  if (!taken) throw error;
  console.error("The port is in use. Choose another, for example: PORT=4821 npm start");
  process.exit(1);
});
console.log(`Playground ready at ${playground.url}`);

const stop = (): void => {
  void playground.close().then(() => process.exit(0));
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
