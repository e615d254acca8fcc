import { ConfigurationError } from "@countersign/core";

/** One secret, or several while one replaces the other, the newest first. */
export type Secret = string | readonly string[];

/** Refuses options that nobody knows, and required texts that are not there. */
export function checkOptions(
  where: string,
  options: object,
  known: { readonly texts: readonly string[]; readonly others: readonly string[] },
): void {
  const names = [...known.texts, ...known.others];
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new ConfigurationError(`${where} has no option ${name}: use ${names.join(", ")}`);
    }
  }
  for (const name of known.texts) {
    const value = (options as { readonly [name: string]: unknown })[name];
    if (typeof value !== "string" || value.trim() === "") {
      throw new ConfigurationError(`${where} needs the option ${name}: a text that is not empty`);
    }
  }
}

/** The secrets of an option. Without one, nothing could be checked: that is refused. */
export function secretsOf(
  where: string,
  name: string,
  secret: Secret | undefined,
): readonly [string, ...string[]] {
  const [first, ...rest] = typeof secret === "string" ? [secret] : (secret ?? []);
  const isEmpty = (one: unknown): boolean => typeof one !== "string" || one.trim() === "";
  if (first === undefined || [first, ...rest].some(isEmpty)) {
    throw new ConfigurationError(
      `${where} needs the option ${name}: a secret or a list of secrets, none of them empty`,
    );
  }
  return [first, ...rest];
}

/** An http or https address without a slash at its end. */
export function addressOf(where: string, name: string, address: unknown): string {
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
  if (typeof address !== "string" || !/^https?:$/.test(url?.protocol ?? "") || /[?#]/.test(address)) {
    throw new ConfigurationError(
      `${where} has a wrong option ${name}: write an address such as https://shop.example, without query`,
    );
  }
  return address.replace(/\/+$/, "");
}
