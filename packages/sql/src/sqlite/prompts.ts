import { IntegrityError, type PromptRow, type Store } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { promptColumns, type StoredPrompt, toPromptRow } from "../prompt-row.ts";

/** Prompts in chats. */
export type Prompts = {
  put(prompt: PromptRow): void;
  find(token: string): PromptRow | undefined;
  findByMessage(account: string, providerMessageId: string): PromptRow | undefined;
  list(writeId: string): readonly PromptRow[];
  note(...given: Parameters<Store["notePrompt"]>): void;
  move(...given: Parameters<Store["movePrompt"]>): boolean;
};

export function preparePrompts(db: Database): Prompts {
  const put = db.prepare(
    `insert into prompts (token, write_id, version, account, address, aliases, provider_message_id, status)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (token) do nothing`,
  );
  const find = db.prepare<[string], StoredPrompt>(`select ${promptColumns} from prompts where token = ?`);
  const findByMessage = db.prepare<[string, string], StoredPrompt>(
    `select ${promptColumns} from prompts where account = ? and provider_message_id = ? order by id desc limit 1`,
  );
  const list = db.prepare<[string], StoredPrompt>(
    `select ${promptColumns} from prompts where write_id = ? order by id`,
  );
  const note = db.prepare("update prompts set provider_message_id = ?, aliases = ? where token = ?");
  const move = db.prepare("update prompts set status = ? where token = ? and status = ?");

  function findRow(token: string): PromptRow | undefined {
    const found = find.get(token);
    return found === undefined ? undefined : toPromptRow(found);
  }

  return {
    put({ token, writeId, version, account, address, aliases, providerMessageId, status }) {
      const known = JSON.stringify(aliases);
      const { changes } = put.run(
        token,
        writeId,
        version,
        account,
        address,
        known,
        providerMessageId,
        status,
      );
      if (changes === 0) {
        throw new IntegrityError(
          `a prompt of write ${writeId} has a token that exists already; give each prompt its own`,
        );
      }
    },
    find: findRow,
    findByMessage(account, providerMessageId) {
      const found = findByMessage.get(account, providerMessageId);
      return found === undefined ? undefined : toPromptRow(found);
    },
    list: (writeId) => list.all(writeId).map(toPromptRow),
    note(token, { providerMessageId, aliases }) {
      const row = findRow(token);
      if (row === undefined) return;
      const known = [...new Set([...row.aliases, ...aliases])];
      note.run(providerMessageId, JSON.stringify(known), token);
    },
    move: (token, from, to) => move.run(to, token, from).changes === 1,
  };
}
