-- What the person wants kept for later chats. A later version learns more by itself; what it needs
-- beside these columns it adds. The words of a check are those that are planned, because a check
-- cannot be changed.
create table facts (
  key integer primary key,
  id text not null unique,
  -- where it counts: everywhere, or (later) in one project
  scope text not null default 'global',
  -- the fact as it was said; this is what is shown, told and indexed
  sentence text not null,
  kind text not null default 'unsorted' check (kind in (
    'unsorted', 'profile', 'preference', 'relation', 'event', 'plan', 'constraint', 'procedure', 'assistant_said'
  )),
  learned_at integer not null,
  status text not null default 'active' check (status in (
    'active', 'superseded', 'retracted', 'expired', 'quarantined', 'rejected'
  )),
  source text not null check (source in (
    'user_said', 'assistant_said', 'tool', 'document', 'owner_edit', 'import'
  )),
  -- who asked, and what the turn had read by then, a bit set
  trust text not null,
  taint integer not null default 0,
  pinned integer not null default 0 check (pinned in (0, 1)),
  -- how often it was told to a model
  uses integer not null default 0,
  -- SHA-256 of the folded sentence: the same fact in other letters
  norm_key text not null
) strict;

create unique index facts_live on facts (scope, norm_key) where status = 'active';
create index facts_by_time on facts (pinned desc, learned_at desc) where status = 'active';

-- Where a fact was said: a message of the turn that kept it, and the characters in it, when the fact
-- stands there in these words.
create table fact_sources (
  fact_key integer not null references facts (key) on delete cascade,
  message_key integer not null references messages (key) on delete cascade,
  quote_start integer,
  quote_end integer,
  primary key (fact_key, message_key),
  check ((quote_start is null) = (quote_end is null))
) strict;

create index fact_sources_by_message on fact_sources (message_key);

-- Which turns were told a fact.
create table fact_tellings (
  fact_key integer not null references facts (key) on delete cascade,
  turn_key integer not null references turns (key) on delete cascade,
  primary key (fact_key, turn_key)
) strict;

create index fact_tellings_by_turn on fact_tellings (turn_key);

-- What was done to the memory, never what is in it.
create table memory_ops (
  key integer primary key,
  at integer not null,
  op text not null check (op in ('remembered', 'said_again', 'forgot')),
  facts integer not null,
  -- what was forgotten may still be in merged-away parts of the index and in free pages
  leaves_traces integer not null default 0 check (leaves_traces in (0, 1))
) strict;

-- The text is prepared by search/prep.rs; the rowid is facts.key. It keeps its own copy of the words,
-- which contentless tables do not, so that `secure-delete` can take them out of the index at once.
create virtual table facts_words using fts5 (
  words,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);

insert into facts_words (facts_words, rank) values ('secure-delete', 1);
