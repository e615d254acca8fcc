import { defineConfig, type ViteUserConfig } from "vitest/config";

// Tests run on the packages' sources: nothing has to be built first.
const source = "@countersign/source";

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
    ],
  },
});

export default config;
