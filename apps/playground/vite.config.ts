import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";

// The page. `server.config.ts` builds what runs on Node.
const config: UserConfig = defineConfig({
  plugins: [react()],
  resolve: { conditions: ["@countersign/source", "module", "browser", "development|production"] },
  build: { outDir: "dist/web", emptyOutDir: true },
});

export default config;
