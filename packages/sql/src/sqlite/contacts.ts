import type { ContactRow } from "@countersign/core";
import type { Database } from "better-sqlite3";

/** Who wrote to an account, and what a platform keeps for it. */
export type Contacts = {
  put(contacts: readonly ContactRow[]): void;
  find(account: string, address: string): ContactRow | undefined;
  list(account: string, userId: string): readonly ContactRow[];
  findContent(account: string, hash: string): string | undefined;
  keepContent(account: string, hash: string, contentId: string): void;
};

export function prepareContacts(db: Database): Contacts {
  const put = db.prepare(
    `insert into contacts (account, address, user_id, last_inbound_at) values (?, ?, ?, ?)
      on conflict (account, address) do update set user_id = excluded.user_id,
      last_inbound_at = max(last_inbound_at, excluded.last_inbound_at)`,
  );
  const columns = "account, address, user_id as userId, last_inbound_at as lastInboundAt";
  const find = db.prepare<[string, string], ContactRow>(
    `select ${columns} from contacts where account = ? and address = ?`,
  );
  const list = db.prepare<[string, string], ContactRow>(
    `select ${columns} from contacts where user_id = ? and account = ? order by address`,
  );
  const findContent = db
    .prepare<[string, string], string>(
      "select content_id from channel_content where account = ? and hash = ?",
    )
    .pluck();
  const keepContent = db.prepare(
    `insert into channel_content (account, hash, content_id) values (?, ?, ?)
      on conflict (account, hash) do update set content_id = excluded.content_id`,
  );
  return {
    put(contacts) {
      for (const row of contacts) put.run(row.account, row.address, row.userId, row.lastInboundAt);
    },
    find: (account, address) => find.get(account, address),
    list: (account, userId) => list.all(userId, account),
    findContent: (account, hash) => findContent.get(account, hash),
    keepContent(account, hash, contentId) {
      keepContent.run(account, hash, contentId);
    },
  };
}
