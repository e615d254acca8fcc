import type { PromptRow } from "@countersign/core";

/** A prompt as both databases keep it, with the receiver's ids as the text of a JSON array. */
export type StoredPrompt = Omit<PromptRow, "aliases"> & { readonly aliases: string };

/** The columns of a {@link StoredPrompt}, under its names. */
export const promptColumns =
  'token, write_id as "writeId", version, account, address, aliases, provider_message_id as "providerMessageId", status';

export function toPromptRow(stored: StoredPrompt): PromptRow {
  // Written by this package only.
  const aliases: readonly string[] = JSON.parse(stored.aliases);
  return { ...stored, aliases };
}
