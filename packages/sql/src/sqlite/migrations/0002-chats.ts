/** What chats need: prompts in their order and with the ids of who got them, and who wrote. */
export const chats: string = `
-- Nothing wrote prompts before this.
drop table prompts;
create table prompts (
  -- Grows, so that it tells the order in which they were put.
  id integer primary key,
  token text not null unique,
  write_id text not null,
  version integer not null,
  account text not null,
  address text not null,
  aliases text not null,
  provider_message_id text,
  status text not null
) strict;
create index prompts_of_write on prompts (write_id, id);
create index prompts_by_message on prompts (account, provider_message_id, id) where provider_message_id is not null;

create table contacts (
  account text not null,
  address text not null,
  user_id text,
  last_inbound_at integer not null,
  primary key (account, address)
) strict, without rowid;
create index contacts_of_user on contacts (user_id) where user_id is not null;
`;
