import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "tsdown";
import { shadowStyles } from "./src/element/card-styles.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const styles: string = shadowStyles(readFileSync(here("src/card.css"), "utf8"));

// createElement takes children as arguments and needs no runtime of its own: 450 bytes less in every page.
const classic = (react: string): NonNullable<UserConfig["inputOptions"]> => ({
  transform: {
    jsx: { runtime: "classic", pragma: "createElement", pragmaFrag: "Fragment" },
    inject: { createElement: [react, "createElement"], Fragment: [react, "Fragment"] },
  },
});

const languages = ["ar", "de", "en", "es", "fr", "hi", "ja", "pt-br"];

const shared = { dts: false, clean: false, fixedExtension: false } as const satisfies UserConfig;

// Pages without React get the card on Preact, which is part of the file.
const element: UserConfig = {
  ...shared,
  platform: "browser",
  alias: {
    react: here("src/element/preact/react.ts"),
    "react-dom/client": here("src/element/preact/react-dom-client.ts"),
  },
  deps: { alwaysBundle: [/^react/, /^preact/] },
  inputOptions: classic("react"),
  plugins: [
    {
      name: "with-editing",
      resolveId: (id: string) =>
        id.endsWith("/load-editing.ts") ? here("src/element/with-editing.ts") : undefined,
    },
    {
      name: "shadow-styles",
      resolveId: (id: string) => (id.endsWith(".css?shadow") ? "\0shadow-styles" : undefined),
      load: (id: string) =>
        id === "\0shadow-styles" ? `export default ${JSON.stringify(styles)};` : undefined,
    },
  ],
};

const script = (name: string, entry: string): UserConfig => ({
  ...element,
  entry: { [name]: entry },
  format: "iife",
  globalName: "CountersignReviewCard",
  minify: true,
  deps: { alwaysBundle: [/./] },
  outputOptions: { entryFileNames: "[name].global.js" },
});

export default defineConfig([
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      "query/index": "src/query/index.ts",
      "review-page/index": "src/review-page/index.ts",
      // Each language is a file of its own: a page loads the ones it names.
      "messages/index": "src/messages/index.ts",
      ...Object.fromEntries(languages.map((name) => [`messages/${name}`, `src/messages/${name}.ts`])),
    },
    format: "esm",
    dts: true,
    inputOptions: classic("react"),
  },
  { ...element, entry: { "element/index": "src/element/index.ts" }, format: "esm", dts: true },
  {
    ...script("review-card", "src/element/index.ts"),
    hooks: { "build:done": () => writeFileSync(here("dist/review-card.shadow.css"), styles) },
  },
  script("review-page", "src/review-page/global.ts"),
]);
