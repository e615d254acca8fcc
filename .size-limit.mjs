/** What the packages may weigh, as a bundler of the app that uses them sees it. */

// The packages are modules only: bundled into another format, they would be weighed with what translates them.
const asModule = (config) => ({ ...config, format: "esm" });

const channelOutside = [
  "@countersign/core",
  "node:crypto",
  "twilio",
  "*/words/words.js",
  "*/check.js",
  "*/messaging-check.js",
];

// Inputs are a file of their own, which a page asks for when a card comes that may be edited.
const cardOutside = ["react", "react-dom", "@tanstack/react-query", "./editing-*.js"];

export default [
  {
    name: "review card with English, without its inputs, React external (gzip)",
    path: "packages/review-card/dist/index.js",
    import: "{ ReviewCard }",
    ignore: cardOutside,
    gzip: true,
    limit: "12 kB",
  },
  {
    name: "review card with its styles and English, without its inputs, React external (gzip)",
    path: "packages/review-card/dist/index.js",
    import: {
      "packages/review-card/dist/index.js": "{ ReviewCard }",
      "packages/review-card/dist/card.css": "{}",
    },
    ignore: cardOutside,
    gzip: true,
    limit: "14.6 kB",
  },
  {
    name: "inputs of the review card, loaded where something may be edited (gzip)",
    path: "packages/review-card/dist/editing-*.js",
    ignore: ["react", "./row-*.js", "./waits-*.js"],
    gzip: true,
    limit: "3 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "the script file for pages without React: card, connection, styles, English, Preact (gzip)",
    path: "packages/review-card/dist/review-card.global.js",
    gzip: true,
    limit: "27.6 kB",
  },
  {
    name: "the script of the review page, in eight languages (gzip)",
    path: "packages/review-card/dist/review-page.global.js",
    gzip: true,
    limit: "32.2 kB",
  },
  {
    name: "WhatsApp without its words and setup check (gzip)",
    path: "packages/channels/dist/whatsapp/index.js",
    ignore: channelOutside,
    gzip: true,
    limit: "8 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "Messenger without its words and setup check (gzip)",
    path: "packages/channels/dist/messenger/index.js",
    ignore: channelOutside,
    gzip: true,
    limit: "8 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "Instagram without its words and setup check (gzip)",
    path: "packages/channels/dist/instagram/index.js",
    ignore: channelOutside,
    gzip: true,
    limit: "8 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "Twilio without its words, setup check and library (gzip)",
    path: "packages/channels/dist/twilio/index.js",
    ignore: channelOutside,
    gzip: true,
    limit: "8 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "the words around a card in eight languages (gzip)",
    path: "packages/channels/dist/words/words.js",
    gzip: true,
    limit: "3 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "the setup check of WhatsApp (gzip)",
    path: "packages/channels/dist/whatsapp/check.js",
    ignore: ["@countersign/core"],
    gzip: true,
    limit: "4 kB",
    modifyEsbuildConfig: asModule,
  },
  {
    name: "the setup check of Messenger and Instagram (gzip)",
    path: "packages/channels/dist/meta/messaging-check.js",
    ignore: ["@countersign/core"],
    gzip: true,
    limit: "4 kB",
    modifyEsbuildConfig: asModule,
  },
];
