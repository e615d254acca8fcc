/** What chats need: prompts in their order and with the ids of who got them, who wrote, and incoming messages in the order in which they came. */
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

create table inbox_in_order (
  -- Grows, so that the oldest come first without an index of their times, which every message would have to write.
  id integer primary key,
  account text not null,
  message_id text not null,
  received_at integer not null,
  body text not null,
  unique (account, message_id)
) strict;
insert into inbox_in_order (account, message_id, received_at, body)
  select account, message_id, received_at, body from inbox order by received_at;
drop table inbox;
alter table inbox_in_order rename to inbox;
`;
