import ts from "typescript";

/**
 * What a source file imports and uses, read from its syntax: comments and strings never count.
 * @typedef {{ from: string, line: number, typeOnly: boolean }} Import
 * @typedef {{ what: "clock" | "randomness" | "Date" | "waiting", text: string, line: number }} Use
 * @typedef {{ imports: Import[], uses: Use[] }} SourceFacts
 */

/**
 * @param {string} name
 * @param {string} text
 * @returns {SourceFacts}
 */
export function sourceFacts(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  /** @type {SourceFacts} */
  const facts = { imports: [], uses: [] };
  /** @param {ts.Node} node */
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  /** @param {ts.Node} node */
  const visit = (node) => {
    const found = importOf(node);
    if (found !== null) facts.imports.push({ ...found, line: lineOf(node) });
    const use = useOf(node);
    if (use !== null)
      facts.uses.push({ what: use, text: firstLine(node.getText(source)), line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return facts;
}

/** @param {string} text */
function firstLine(text) {
  return (text.split("\n")[0] ?? "").slice(0, 60);
}

/**
 * @param {ts.Node} node
 * @returns {Omit<Import, "line"> | null}
 */
function importOf(node) {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { from: node.moduleSpecifier.text, typeOnly: node.importClause?.isTypeOnly ?? false };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { from: node.moduleSpecifier.text, typeOnly: node.isTypeOnly };
  }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  ) {
    return { from: node.argument.literal.text, typeOnly: true };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [first] = node.arguments;
    return { from: first && ts.isStringLiteralLike(first) ? first.text : "(computed)", typeOnly: false };
  }
  return null;
}

/**
 * @param {ts.Node} node
 * @returns {Use["what"] | null}
 */
function useOf(node) {
  if (ts.isPropertyAccessExpression(node)) {
    const path = node.getText().replace(/\s|\?|^globalThis\./g, "");
    if (path === "Date.now" || path === "performance.now") return "clock";
    if (/^(Math\.random|crypto\.(getRandomValues|randomUUID))$/.test(path)) return "randomness";
  }
  const makesDate = (ts.isNewExpression(node) || ts.isCallExpression(node)) && isDate(node.expression);
  if (makesDate && (ts.isCallExpression(node) || (node.arguments ?? []).length === 0)) return "clock";
  if (isDate(node) && !isPropertyName(node)) return "Date";
  if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) return "waiting";
  if (ts.isForOfStatement(node) && node.awaitModifier) return "waiting";
  return null;
}

/** @param {ts.Node} node */
function isDate(node) {
  return ts.isIdentifier(node) && node.text === "Date";
}

/** @param {ts.Node} node */
function isPropertyName({ parent }) {
  return ts.isPropertySignature(parent) || ts.isPropertyAssignment(parent);
}
