import ts from "typescript";

/**
 * The name of one test, or of one case of a contract. `name` is the text up to the first computed part, null when all of it
 * is computed; `id` is the behaviour that it, or a group around it, begins with.
 * @typedef {{ name: string | null, id: string | null, line: number }} TestName
 */

const modifiers = new Set([
  "concurrent",
  "each",
  "fails",
  "for",
  "only",
  "runIf",
  "sequential",
  "skip",
  "skipIf",
]);

/**
 * The tests of a test file. `runsContract` is true when it imports a contract, whose cases bring their own names.
 * @param {string} path
 * @param {string} text
 * @returns {{ tests: TestName[], runsContract: boolean }}
 */
export function testNames(path, text) {
  const source = parse(path, text);
  /** @type {TestName[]} */
  const tests = [];
  let runsContract = false;
  /**
   * @param {ts.Node} node
   * @param {string | null} around
   */
  const visit = (node, around) => {
    if (ts.isImportSpecifier(node) && node.name.text.endsWith("Contract")) runsContract = true;
    let group = around;
    const kind = kindOf(node);
    if (kind !== null && ts.isCallExpression(node)) {
      const named = nameAt(source, node.arguments[0], around);
      if (kind === "test") tests.push(named);
      else group = named.id;
    }
    ts.forEachChild(node, (child) => visit(child, group));
  };
  visit(source, null);
  return { tests, runsContract };
}

/**
 * The cases of a contract: objects with a `name` and a `run`.
 * @param {string} path
 * @param {string} text
 * @returns {TestName[]}
 */
export function caseNames(path, text) {
  const source = parse(path, text);
  /** @type {TestName[]} */
  const cases = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const name = member(node, "name");
      if (name && ts.isPropertyAssignment(name) && member(node, "run"))
        cases.push(nameAt(source, name.initializer, null));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return cases;
}

/**
 * @param {string} path
 * @param {string} text
 */
function parse(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/**
 * @param {ts.ObjectLiteralExpression} object
 * @param {string} name
 */
function member(object, name) {
  return object.properties.find((property) => property.name?.getText() === name);
}

/**
 * What a call declares. Of `test.each(…)("…", …)` only the outer call counts.
 * @param {ts.Node} node
 * @returns {"test" | "group" | null}
 */
function kindOf(node) {
  if (!ts.isCallExpression(node) || node.arguments.length < 2) return null;
  if (ts.isCallExpression(node.parent) && node.parent.expression === node) return null;
  /** @type {string[]} */
  const path = [];
  /** @type {ts.Expression} */
  let callee = node.expression;
  for (;;) {
    if (ts.isCallExpression(callee)) callee = callee.expression;
    else if (ts.isPropertyAccessExpression(callee)) {
      path.push(callee.name.text);
      callee = callee.expression;
    } else break;
  }
  if (!ts.isIdentifier(callee) || !["test", "it", "describe"].includes(callee.text)) return null;
  const rest = path.filter((name) => !modifiers.has(name));
  if (rest.length === 0) return callee.text === "describe" ? "group" : "test";
  return rest.length === 1 && rest[0] === "describe" ? "group" : null;
}

/**
 * @param {ts.SourceFile} source
 * @param {ts.Node | undefined} node
 * @param {string | null} around
 * @returns {TestName}
 */
function nameAt(source, node, around) {
  const name = node === undefined ? null : fixedStart(node);
  const id = /^[A-Z]+-\d+(?= )/.exec(name ?? "")?.[0] ?? around;
  const line = source.getLineAndCharacterOfPosition(node?.getStart(source) ?? 0).line + 1;
  return { name, id, line };
}

/** @param {ts.Node} node */
function fixedStart(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) && node.head.text !== "" ? node.head.text : null;
}
