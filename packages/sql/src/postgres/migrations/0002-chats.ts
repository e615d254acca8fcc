/** What chats need: prompts in their order and with the ids of who got them, who wrote, and the age of incoming messages. */
export const chats: string = `
-- Nothing wrote prompts before this.
drop table countersign.prompts;
create table countersign.prompts (
  id bigint generated always as identity primary key,
  token text collate "C" not null unique,
  write_id text collate "C" not null,
  version integer not null,
  account text collate "C" not null,
  address text not null,
  aliases text not null,
  provider_message_id text collate "C",
  status text not null
);
comment on column countersign.prompts.id is 'grows, so that it tells the order in which they were put';
create index prompts_of_write on countersign.prompts (write_id, id);
create index prompts_by_message on countersign.prompts (account, provider_message_id, id)
  where provider_message_id is not null;

create table countersign.contacts (
  account text collate "C" not null,
  address text collate "C" not null,
  user_id text collate "C",
  last_inbound_at bigint not null,
  primary key (account, address)
);
create index contacts_of_user on countersign.contacts (user_id) where user_id is not null;

create index inbox_by_time on countersign.inbox (received_at);
`;
