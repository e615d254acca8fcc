/**
 * Journal, what it commits to, what is derived from it, and the rows that work is taken from.
 *
 * Names are compared byte by byte (`collate "C"`), so that lists have one order whatever the language of the database.
 */
export const initial: string = `
create table countersign.journal (
  write_id text collate "C" not null,
  seq integer not null,
  at bigint not null,
  type text not null,
  v integer not null,
  by text not null,
  body text not null,
  commits text not null,
  prev text not null,
  hash text not null,
  stamp bigint not null,
  primary key (write_id, seq)
);
comment on column countersign.journal.stamp is
  'made up by the process for each append: tells whether one was committed whose answer was lost';

create table countersign.plain (
  write_id text collate "C" not null,
  seq integer not null,
  salt text not null,
  args text,
  card text,
  plan text,
  outcome text,
  idempotency_key text,
  primary key (write_id, seq)
);

create table countersign.writes (
  id text collate "C" primary key,
  conversation_id text collate "C" not null,
  state text not null,
  version integer not null,
  seq integer not null,
  open boolean not null,
  tool text not null,
  tool_version text not null,
  epoch integer not null,
  customer_ref text,
  agent text,
  attention boolean not null,
  due_at bigint,
  lease_until bigint not null default 0,
  created_at bigint not null,
  decided_at bigint,
  settled_at bigint
);
create unique index writes_open on countersign.writes (conversation_id) where open;
create index writes_due on countersign.writes (due_at, id) where due_at is not null;
create index writes_of_conversation on countersign.writes (conversation_id, created_at, id);
create index writes_by_time on countersign.writes (created_at, id);
create index writes_with_attention on countersign.writes (created_at, id) where attention;

create table countersign.conversations (
  id text collate "C" primary key,
  epoch integer not null,
  customer_ref text,
  level text,
  authenticated_at bigint,
  channel text,
  address text,
  locale text,
  time_zone text
);
create unique index conversations_address on countersign.conversations (channel, address) where channel is not null;

create table countersign.customers (
  customer_id text collate "C" primary key,
  ref text not null unique
);

create table countersign.keys (
  scope text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  write_id text,
  answer text,
  customer_ref text,
  keep_until bigint not null,
  primary key (scope, key)
);
create index keys_by_end on countersign.keys (keep_until);

create table countersign.deliveries (
  id text collate "C" primary key,
  kind text collate "C" not null,
  write_id text collate "C",
  body text not null,
  due_at bigint not null,
  attempts integer not null,
  lease_until bigint not null default 0
);
create index deliveries_due on countersign.deliveries (due_at, id);
create index deliveries_of_write on countersign.deliveries (write_id, kind, id) where write_id is not null;

create table countersign.inbox (
  account text collate "C" not null,
  message_id text collate "C" not null,
  received_at bigint not null,
  body text not null,
  primary key (account, message_id)
);

create table countersign.prompts (
  token text collate "C" primary key,
  write_id text not null,
  version integer not null,
  account text not null,
  address text not null,
  provider_message_id text,
  status text not null
);
create index prompts_of_write on countersign.prompts (write_id, version);

create table countersign.channel_content (
  account text collate "C" not null,
  hash text collate "C" not null,
  content_id text not null,
  primary key (account, hash)
);
`;
