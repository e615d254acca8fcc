/** Journal, what it commits to, what is derived from it, and the rows that work is taken from. */
export const initial: string = `
create table journal (
  id integer primary key,
  write_id text not null,
  seq integer not null,
  at integer not null,
  type text not null,
  v integer not null,
  by text not null,
  body text not null,
  commits text not null,
  prev text not null,
  hash text not null,
  unique (write_id, seq)
) strict;

-- Under the number of the journal row it belongs to: new rows stand at the table's end, and no index has to be kept.
create table plain (
  id integer primary key references journal (id),
  salt text not null,
  args text,
  card text,
  plan text,
  outcome text,
  idempotency_key text
) strict;

create table writes (
  id text primary key not null,
  conversation_id text not null,
  state text not null,
  version integer not null,
  seq integer not null,
  open integer not null check (open in (0, 1)),
  tool text not null,
  tool_version text not null,
  epoch integer not null,
  customer_ref text,
  agent text,
  attention integer not null check (attention in (0, 1)),
  due_at integer,
  lease_until integer not null default 0,
  created_at integer not null,
  decided_at integer,
  settled_at integer
) strict, without rowid;
create unique index writes_open on writes (conversation_id) where open = 1;
create index writes_due on writes (due_at, id) where due_at is not null;
create index writes_of_conversation on writes (conversation_id, created_at, id);
create index writes_by_time on writes (created_at, id);
create index writes_with_attention on writes (created_at, id) where attention = 1;

create table conversations (
  id text primary key not null,
  epoch integer not null,
  customer_ref text,
  level text,
  authenticated_at integer,
  channel text,
  address text,
  locale text,
  time_zone text
) strict, without rowid;
create unique index conversations_address on conversations (channel, address) where channel is not null;

create table customers (
  customer_id text primary key not null,
  ref text not null unique
) strict, without rowid;

create table keys (
  scope text not null,
  key text not null,
  fingerprint text not null,
  write_id text,
  answer text,
  customer_ref text,
  keep_until integer not null,
  primary key (scope, key)
) strict;
create index keys_by_end on keys (keep_until);

create table deliveries (
  id text primary key not null,
  kind text not null,
  write_id text,
  body text not null,
  due_at integer not null,
  attempts integer not null,
  lease_until integer not null default 0
) strict;
create index deliveries_due on deliveries (due_at, id);
create index deliveries_of_write on deliveries (write_id, kind, id) where write_id is not null;

create table inbox (
  account text not null,
  message_id text not null,
  received_at integer not null,
  body text not null,
  primary key (account, message_id)
) strict;

create table prompts (
  token text primary key not null,
  write_id text not null,
  version integer not null,
  account text not null,
  address text not null,
  provider_message_id text,
  status text not null
) strict;
create index prompts_of_write on prompts (write_id, version);

create table channel_content (
  account text not null,
  hash text not null,
  content_id text not null,
  primary key (account, hash)
) strict, without rowid;
`;
