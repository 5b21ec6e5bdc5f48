-- Integer keys join the tables (small, and what the search index needs); text ids are what the
-- rest of the program knows. Times are UTC milliseconds.

create table sessions (
  key integer primary key,
  id text not null unique,
  title text not null,
  -- who made the title: nobody yet, the first question, the person
  title_source text not null check (title_source in ('none', 'question', 'person')),
  mode text not null,
  model text not null,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer
) strict;

create index sessions_by_update on sessions (updated_at desc) where deleted_at is null;
create index sessions_deleted on sessions (deleted_at) where deleted_at is not null;

create table turns (
  key integer primary key,
  id text not null unique,
  session_key integer not null references sessions (key) on delete cascade,
  -- counts up from 1 within the session
  ordinal integer not null,
  trust text not null,
  mode text not null,
  model text not null,
  started_at integer not null,
  -- the last sign of life, which is the end of a turn whose process died
  touched_at integer not null,
  finished_at integer,
  -- TurnOutcome as JSON, its text left empty
  outcome text,
  -- null: the text of the turn's last assistant message, as it nearly always is
  outcome_text text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cached_tokens integer not null default 0,
  reasoning_tokens integer not null default 0,
  -- the process that runs it; alive as long as its lock file is locked
  owner text not null,
  unique (session_key, ordinal),
  check ((finished_at is null) = (outcome is null))
) strict;

create index turns_running on turns (session_key) where finished_at is null;

-- What the person and the model said. The result of a call is in its row of tool_calls; both
-- take their place in the turn from one counter, `position`.
create table messages (
  key integer primary key,
  turn_key integer not null references turns (key) on delete cascade,
  position integer not null,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  thinking text not null default '',
  -- the step was not finished
  stopped integer not null default 0 check (stopped in (0, 1)),
  -- where the text came from, a bit set
  taint integer not null default 0,
  -- what the screen for injections said of it
  screen text not null default 'clean' check (screen in ('clean', 'flagged', 'quarantined', 'trusted_by_owner')),
  created_at integer not null,
  unique (turn_key, position)
) strict;

create table tool_calls (
  key integer primary key,
  id text not null unique,
  turn_key integer not null references turns (key) on delete cascade,
  message_key integer not null references messages (key) on delete cascade,
  ordinal integer not null,
  name text not null,
  -- canonical JSON, or 'null' with the raw text beside it
  input text not null,
  broken_arguments text,
  title_doing text not null,
  title_done text not null,
  started_at integer not null,
  -- the one result: all or none of what follows
  result_position integer,
  -- ToolOutcome as JSON
  outcome text,
  fact text,
  duration_ms integer,
  -- a list of AnsweredApproval as JSON
  approvals text,
  taint integer,
  screen text not null default 'clean' check (screen in ('clean', 'flagged', 'quarantined', 'trusted_by_owner')),
  unique (message_key, ordinal),
  unique (turn_key, result_position),
  check ((outcome is null) = (result_position is null))
) strict;

create index tool_calls_open on tool_calls (turn_key) where outcome is null;

-- The text of the step that streams right now.
create table partials (
  turn_key integer primary key references turns (key) on delete cascade,
  text text not null,
  saved_at integer not null
) strict;

create table queued_messages (
  key integer primary key autoincrement,
  id text not null unique,
  session_id text not null,
  text text not null,
  mode text not null,
  model text,
  queued_at integer not null,
  -- the process that is about to begin a turn with it; it leaves the queue in that turn's transaction
  taken_by text
) strict;

create index queued_messages_by_session on queued_messages (session_id, key);

-- The scope is a session's id, or empty for the chat that does not exist yet.
create table drafts (
  scope text primary key,
  text text not null,
  saved_at integer not null
) strict;

create table settings (
  key text primary key,
  -- JSON
  value text not null,
  changed_at integer not null
) strict;

-- Tokens by UTC day (days since 1970) and model. Outlives the sessions.
create table usage (
  day integer not null,
  model text not null,
  turns integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cached_tokens integer not null,
  reasoning_tokens integer not null,
  primary key (day, model)
) strict;

-- Each row carries SHA-256(hash of the row before || its own fields): see audit.rs.
create table audit (
  seq integer primary key,
  at integer not null,
  session_id text not null,
  turn_id text not null,
  call_id text not null,
  phase text not null check (phase in ('intent', 'done', 'refused')),
  trust text not null,
  taint integer not null,
  tool text not null,
  input text not null,
  input_hash text not null,
  verdict text not null,
  stage integer not null,
  code text not null,
  approver text,
  approval_ms integer,
  sandbox text,
  duration_ms integer,
  result_hash text,
  result_bytes integer,
  hash blob not null check (length(hash) = 32)
) strict;

create index audit_by_time on audit (at);

create trigger audit_keeps_rows before delete on audit
begin
  select raise(abort, 'the audit log is append-only');
end;

create trigger audit_changes_nothing before update on audit
begin
  select raise(abort, 'the audit log is append-only');
end;

-- `insert or replace` would delete without the trigger above.
create trigger audit_grows_at_its_end before insert on audit
when new.seq <> coalesce((select max(seq) from audit), 0) + 1
begin
  select raise(abort, 'the audit log grows at its end only');
end;

-- The text in both is prepared by search/prep.rs; the rowid is messages.key. Categories: without
-- Mn and Mc the vowel signs of Indic scripts would split words; Co is the mark of technical tokens.
create virtual table messages_words using fts5 (
  words,
  content = '',
  contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);

-- Thai, Lao, Khmer and Burmese only: they write no spaces.
create virtual table messages_trigrams using fts5 (
  words,
  content = '',
  contentless_delete = 1,
  tokenize = "trigram remove_diacritics 1"
);

create virtual table messages_vocabulary using fts5vocab('messages_words', 'row');
