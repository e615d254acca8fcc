import { defineConfig } from "vitest/config";

const conditions = ["@countersign/source", "module", "node", "development|production"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  resolve: { conditions: ["@countersign/source", "module", "browser", "development|production"] },
  test: {
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
        test: { name: "jsdom", environment: "jsdom", include: ["packages/*/src/**/*.test.tsx"] },
      },
    ],
  },
});
