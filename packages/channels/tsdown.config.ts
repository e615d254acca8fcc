import { defineConfig } from "tsdown";

// File by file, so that an app takes only the platforms it uses, and the languages can be measured apart from them.
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
  unbundle: true,
});
