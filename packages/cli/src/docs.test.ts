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

function faultsOf(program: string): readonly string[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // Beside this file, so that it finds the packages that this one may use.
  const file = join(root, "packages/cli/src/example-of-a-page.ts");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? program : readFile(name));
  host.getSourceFile = (name, languageVersion) =>
    name === file
      ? ts.createSourceFile(name, program, languageVersion)
      : getSourceFile(name, languageVersion);
  // Readers of a page may leave exported types to inference.
  const loose = { ...options, noEmit: true, isolatedDeclarations: false };
  const made = ts.createProgram([file], loose, host);
  return ts
    .getPreEmitDiagnostics(made, made.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("CLI-20 the programs on the pages for authors and for chats are correct", () => {
  const programs = ["docs/writing-a-write-tool.md", "docs/chats.md"].map(programsOf);
  expect(programs.map(({ length }) => length)).toEqual([1, 1]);
  expect(programs.flat().flatMap(faultsOf)).toEqual([]);
  expect(faultsOf('import { defineTool } from "@countersign/core";\ndefineTool(7);\n')).not.toEqual([]);
});
