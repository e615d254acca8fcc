import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The program texts of a page that stand alone: those that import what they use. */
function programsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, program = ""]) => program)
    .filter((program) => program.startsWith("import "));
}

/** What the compiler finds in each of these programs. */
function faultsOf(programs: readonly string[]): readonly (readonly string[])[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // Beside this file, so that they find the packages that this one may use.
  const files = new Map(
    programs.map((program, index) => [join(root, `packages/cli/src/example-${index}-of-a-page.ts`), program]),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion) => {
    const program = files.get(name);
    return program === undefined
      ? getSourceFile(name, languageVersion)
      : ts.createSourceFile(name, program, languageVersion);
  };
  // Readers of a page may leave exported types to inference.
  const loose = { ...options, noEmit: true, isolatedDeclarations: false };
  const made = ts.createProgram([...files.keys()], loose, host);
  return [...files.keys()].map((file) =>
    ts
      .getPreEmitDiagnostics(made, made.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  );
}

test("CLI-20 the programs on the pages are correct", () => {
  const programs = ["docs/writing-a-write-tool.md", "docs/chats.md", "docs/deployment.md"].map(programsOf);
  expect(programs.map(({ length }) => length)).toEqual([1, 1, 1]);
  const wrong = 'import { defineTool } from "@countersign/core";\ndefineTool(7);\n';
  const [writing, chats, deployment, found] = faultsOf([...programs.flat(), wrong]);
  expect([writing, chats, deployment]).toEqual([[], [], []]);
  expect(found).not.toEqual([]);
}, 120_000);
