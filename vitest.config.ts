import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

// Tests run on the packages' sources: nothing has to be built first.
const source = "@countersign/source";

const onPreact = (file: string): string =>
  fileURLToPath(new URL(`packages/review-card/src/element/preact/testing/${file}`, import.meta.url));

const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: [source, "node", "development|production"] } },
  resolve: { conditions: [source, "module", "browser", "development|production"] },
  test: {
    // Processes, not threads: native modules and signals behave as they do in a server. The default leaves a core idle.
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      exclude: ["**/*.test.{ts,tsx}"],
      reporter: ["text-summary", "html"],
    },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "jsdom",
          environment: "jsdom",
          include: ["packages/*/src/**/*.test.tsx", "apps/*/src/**/*.test.tsx"],
        },
      },
      // The script file for pages without React brings the same card on Preact: the card's tests hold there too.
      {
        extends: true,
        resolve: {
          alias: [
            { find: /^react$/, replacement: onPreact("react.ts") },
            { find: /^react\/jsx-(dev-)?runtime$/, replacement: onPreact("jsx-dev-runtime.ts") },
            { find: /^react-dom\/server$/, replacement: onPreact("react-dom-server.ts") },
            { find: /^@testing-library\/react$/, replacement: onPreact("testing-library.ts") },
          ],
        },
        test: {
          name: "preact",
          environment: "jsdom",
          include: ["packages/review-card/src/card/*.test.tsx"],
        },
      },
    ],
  },
});

export default config;
