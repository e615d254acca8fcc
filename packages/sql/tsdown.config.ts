import { defineConfig } from "tsdown";

// One folder per database.
export default defineConfig({
  entry: { "postgres/index": "src/postgres/index.ts", "sqlite/index": "src/sqlite/index.ts" },
  format: "esm",
  dts: true,
  fixedExtension: false,
});
