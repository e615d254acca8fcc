import { defineConfig } from "tsdown";

// One folder per database, also while there is only one: a single entry would otherwise be built to the root of dist.
export default defineConfig({
  entry: { "sqlite/index": "src/sqlite/index.ts" },
  format: "esm",
  dts: true,
  fixedExtension: false,
});
