// A call, not a word in a comment or text: those are taken out first.
const asides = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/**
 * Whether a handler tells where it begins to write. Its code is the only witness: a handler that throws before that has not
 * called anything yet. One whose code cannot be read, or leaves it to a function of its own, counts as one that does not.
 */
export function marksWriting(handler: (...given: never[]) => unknown): boolean {
  const code = Function.prototype.toString.call(handler).replaceAll(asides, "");
  return /\bbeginWrite\s*(?:\?\.)?\(/.test(code);
}
