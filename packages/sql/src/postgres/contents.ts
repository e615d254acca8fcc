import type { Database } from "./database.ts";

const find = {
  name: "countersign_find_content",
  text: `select content_id as "contentId" from countersign.channel_content where account = $1 and hash = $2`,
};
const keep = {
  name: "countersign_keep_content",
  text: `insert into countersign.channel_content (account, hash, content_id) values ($1, $2, $3)
    on conflict (account, hash) do update set content_id = excluded.content_id`,
};

export async function findContent(
  database: Database,
  account: string,
  hash: string,
): Promise<string | undefined> {
  return (await database.query<{ readonly contentId: string }>(find, [account, hash]))[0]?.contentId;
}

export async function keepContent(
  database: Database,
  account: string,
  hash: string,
  contentId: string,
): Promise<void> {
  await database.query(keep, [account, hash, contentId]);
}
