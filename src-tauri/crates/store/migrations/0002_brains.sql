-- In billionths of a US dollar; null without a known price.
alter table turns add column cost_nanos integer;
alter table turns add column cache_write_tokens integer not null default 0;

alter table usage add column cost_nanos integer not null default 0;
alter table usage add column cache_write_tokens integer not null default 0;

-- What this chat was set to; null: as the settings say.
alter table sessions add column chosen_model text;
alter table sessions add column chosen_think text check (chosen_think in ('off', 'low', 'medium', 'high'));

-- Another model took over in the middle of a turn.
create table continuations (
  key integer primary key,
  turn_key integer not null references turns (key) on delete cascade,
  position integer not null,
  label text not null,
  model text not null,
  -- a list of sentences as JSON
  reasons text not null,
  unique (turn_key, position)
) strict;

-- Results that were too long for the model, whole. What the model got is in tool_calls.
create table whole_results (
  call_key integer primary key references tool_calls (key) on delete cascade,
  content text not null
) strict;

-- How the connections to models did last, for every program that uses this file.
create table connections (
  name text primary key,
  -- failures in a row
  failures integer not null,
  -- ApiError as JSON
  error text not null,
  failed_at integer not null,
  -- until then others are asked first
  rests_until integer not null
) strict;

-- What the person attached, kept once for each content. Names and order are where it is used.
create table attached_files (
  key integer primary key,
  -- SHA-256 of the bytes, in hex
  id text not null unique,
  media_type text not null,
  kept_at integer not null,
  -- last, so that the rest is read without it
  bytes blob not null
) strict;

-- A list of Attachment as JSON; null when there is none.
alter table messages add column attachments text;
alter table drafts add column attachments text;
alter table queued_messages add column attachments text;

-- Which files are named anywhere, without reading every message.
create index messages_with_attachments on messages (attachments) where attachments is not null;
