import { defineConfig } from "tsdown";

// One folder per database, and one for the way from one to the other.
export default defineConfig({
  entry: {
    "copy/index": "src/copy/index.ts",
    "postgres/index": "src/postgres/index.ts",
    "sqlite/index": "src/sqlite/index.ts",
  },
  format: "esm",
  dts: true,
  fixedExtension: false,
});
