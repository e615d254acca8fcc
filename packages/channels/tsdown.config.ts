import { defineConfig } from "tsdown";

// One folder per platform, each with its own entry, so that an app takes only what it uses.
export default defineConfig({
  entry: {
    "whatsapp/index": "src/whatsapp/index.ts",
    "messenger/index": "src/messenger/index.ts",
    "instagram/index": "src/instagram/index.ts",
    "twilio/index": "src/twilio/index.ts",
  },
  format: "esm",
  dts: true,
  fixedExtension: false,
});
