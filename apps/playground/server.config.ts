import { defineConfig, type UserConfig } from "vite";

const conditions = ["@countersign/source", "module", "node", "development|production"];

// The shop, the bot's backend and the Countersign server, from the workspace's sources, so that no other build comes first.
const config: UserConfig = defineConfig({
  publicDir: false,
  ssr: { resolve: { conditions }, noExternal: [/^@countersign\//] },
  resolve: { conditions },
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist/server",
    emptyOutDir: true,
    rollupOptions: {
      input: { main: "src/server/main.ts", shop: "src/shop/main.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
    },
  },
});

export default config;
