import { IntegrityError, type PromptRow, type Store } from "@countersign/core";
import { promptColumns, type StoredPrompt, toPromptRow } from "../prompt-row.ts";
import type { Database, Statement } from "./database.ts";

const put = {
  name: "countersign_put_prompt",
  text: `insert into countersign.prompts
      (token, write_id, version, account, address, aliases, provider_message_id, status)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (token) do nothing returning token`,
};
const find = {
  name: "countersign_find_prompt",
  text: `select ${promptColumns} from countersign.prompts where token = $1`,
};
const findByMessage = {
  name: "countersign_find_prompt_by_message",
  text: `select ${promptColumns} from countersign.prompts
    where account = $1 and provider_message_id is not null and provider_message_id = $2 order by id desc limit 1`,
};
const list = {
  name: "countersign_list_prompts",
  text: `select ${promptColumns} from countersign.prompts where write_id = $1 order by id`,
};
// Adds to the ids as they are once nobody else changes the row.
const note = {
  name: "countersign_note_prompt",
  text: `update countersign.prompts set provider_message_id = $2, aliases = (aliases::jsonb || coalesce(
      (select jsonb_agg(alias order by place) from unnest($3::text[]) with ordinality as said (alias, place)
        where not aliases::jsonb ? alias), '[]'))::text
    where token = $1`,
};
const move = {
  name: "countersign_move_prompt",
  text: "update countersign.prompts set status = $3 where token = $1 and status = $2 returning token",
};

/** Statements that must stay quick however much is stored. */
export const promptStatements: readonly Statement[] = [find, findByMessage, list, note, move];

/** Keeps a prompt; rejects with an `IntegrityError` a token that is there. */
export async function putPrompt(database: Database, prompt: PromptRow): Promise<void> {
  const { token, writeId, version, account, address, aliases, providerMessageId, status } = prompt;
  const known = JSON.stringify(aliases);
  const values = [token, writeId, version, account, address, known, providerMessageId, status];
  if ((await database.query(put, values)).length === 0) {
    throw new IntegrityError(
      `a prompt of write ${writeId} has a token that exists already; give each prompt its own`,
    );
  }
}

export async function findPrompt(database: Database, token: string): Promise<PromptRow | undefined> {
  return (await database.query<StoredPrompt>(find, [token])).map(toPromptRow)[0];
}

export async function findPromptByMessage(
  database: Database,
  account: string,
  providerMessageId: string,
): Promise<PromptRow | undefined> {
  return (await database.query<StoredPrompt>(findByMessage, [account, providerMessageId])).map(
    toPromptRow,
  )[0];
}

export async function listPrompts(database: Database, writeId: string): Promise<readonly PromptRow[]> {
  return (await database.query<StoredPrompt>(list, [writeId])).map(toPromptRow);
}

export async function notePrompt(
  database: Database,
  token: string,
  { providerMessageId, aliases }: Parameters<Store["notePrompt"]>[1],
): Promise<void> {
  await database.query(note, [token, providerMessageId, [...new Set(aliases)]]);
}

/** One statement that compares and sets. */
export async function movePrompt(
  database: Database,
  ...[token, from, to]: Parameters<Store["movePrompt"]>
): Promise<boolean> {
  return (await database.query(move, [token, from, to])).length === 1;
}
