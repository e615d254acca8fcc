import type { SetupProblem } from "@countersign/core";

/** A problem of a setup. */
export function problem(what: string, where: string, next: string): SetupProblem {
  return { what, where, next };
}

/** Problems without those that say the same again. */
export function distinct(problems: readonly SetupProblem[]): readonly SetupProblem[] {
  const keys = problems.map(({ what, where }) => `${where}: ${what}`);
  return problems.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

/** A platform that did not answer. */
export function unreached(platform: string, detail: string, option: string): SetupProblem {
  return problem(
    `${platform} did not answer (${detail})`,
    `the network, or the option ${option}`,
    "let this server reach it, then check again",
  );
}

/** Whether a callback address is that of a webhook: the path of this server may stand behind others. */
export function leadsTo(address: string, path: string): boolean {
  return URL.canParse(address) && new URL(address).pathname.endsWith(path);
}
