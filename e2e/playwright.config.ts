import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices, type PlaywrightTestConfig } from "@playwright/test";

const port = Number(process.env.E2E_PORT ?? 4829);
const url = `http://127.0.0.1:${port}`;

// Workers load this file too; only the first one's folder is used, by the server.
process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), "countersign-e2e-"));

const config: PlaywrightTestConfig = defineConfig({
  testDir: "stories",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: "../.reports/e2e.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: url,
    locale: "en-GB",
    timezoneId: "Europe/Madrid",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: "node ../apps/playground/dist/server/main.js",
    url: `${url}/readyz`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    env: {
      PORT: String(port),
      PLAYGROUND_DATA: process.env.E2E_DATA,
      // Short, so that a shop that never answers and an offer that ends can be watched.
      PLAYGROUND_TIMEOUT_SECONDS: "3",
      PLAYGROUND_OFFER_SECONDS: "6",
    },
  },
});

export default config;
