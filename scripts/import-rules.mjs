/** Who may import whom. The reasons stand in ARCHITECTURE.md. */

const libraries = [
  "@countersign/channels",
  "@countersign/core",
  "@countersign/http",
  "@countersign/review-card",
  "@countersign/sql",
];

/**
 * Workspace packages that each workspace package may import, by folder. Nobody imports the playground, the benches or
 * the browser tests; no library imports the command line.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const mayImport = {
  "packages/channels": ["@countersign/core"],
  "packages/chat-simulator": ["@countersign/channels", "@countersign/core"],
  "packages/core": [],
  "packages/http": ["@countersign/core"],
  "packages/review-card": ["@countersign/core"],
  "packages/sql": ["@countersign/core"],
  "packages/test-postgres": [],
  "packages/model": ["@countersign/core", "@countersign/sql", "@countersign/test-postgres"],
  "packages/cli": libraries,
  "apps/playground": [...libraries, "@countersign/chat-simulator", "@countersign/cli"],
  bench: [...libraries, "@countersign/cli", "@countersign/test-postgres"],
  e2e: [...libraries, "@countersign/chat-simulator", "@countersign/cli"],
};

/** Packages that every package's tests and fixtures may import, and nothing that is shipped. */
export const forTests = ["@countersign/chat-simulator", "@countersign/test-postgres"];

/** Packages without a single runtime import from outside; their tests and fixtures may use development tools. */
export const selfContained = ["packages/core"];

/**
 * The folders of the core: a file imports only from its own folder and from those before it. Files that stand directly
 * in `src`, files in the last folder, tests and fixtures may import any of them. The ports stand before the flow because they are
 * the types of what is stored, which the flow makes.
 */
export const coreLayers = ["base", "tool", "card", "ports", "flow", "memory", "engine", "verify", "testing"];

/**
 * Files of a later folder that an earlier one may import all the same: a tool's definition is checked against the
 * locales, texts and currencies that a card can show, and these files know of no tool.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const alsoBefore = { tool: ["card/locale.ts", "card/messages.ts", "card/money.ts"] };

/** Where the core takes time and randomness from the machine; everything else is handed a clock and a source. */
export const machineFiles = ["base/clock", "base/random"];

/** Reached by a web page: nothing they import as a value, however indirectly, may be built into Node. */
export const browserEntries = [
  "packages/core/src/card/index.ts",
  "packages/core/src/verify/index.ts",
  "packages/review-card/src",
];

/**
 * Folders of the core that import from these folders only, whatever stands before them. A proof that leaned on what made
 * the journal would repeat its mistakes.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const importsOnly = { verify: ["base"] };
