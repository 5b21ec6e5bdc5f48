-- A chat as version 4 stored it.
create table schema_versions (
  version integer primary key,
  checksum text not null,
  applied_at integer not null
) strict;

insert into schema_versions (version, checksum, applied_at)
values (1, '3f028d93526c80d0fd61a15ab763b7c687629605d28e4a663d39a04f7db1dba9', 1893456000000),
  (2, '23eb8356d8d38e03b3e1a9df36c16edf143bfc4ba4ce77975512c7e530808cd8', 1893456000000),
  (3, 'd2f31590a487b6a48a1a82f63bb8907f318385d59ada5b201c2099acd3d41427', 1893456000000),
  (4, 'd6d06ee8da40dae64d69573f771f6ed14aa3db19229842c2bf47bcb38fc818bf', 1893456000000);

pragma user_version = 4;

insert into sessions (key, id, title, title_source, mode, model, created_at, updated_at)
values (1, 'ses_old', 'wifi', 'person', 'agent', 'm', 1893456000000, 1893456000000);

insert into turns (key, id, session_key, ordinal, trust, mode, model, started_at, touched_at, finished_at, outcome, owner,
  cost_nanos, cache_write_tokens)
values (1, 'turn_old', 1, 1, 'owner', 'agent', 'm', 1893456000000, 1893456000000, 1893456000000,
  '{"type":"answered","text":"Noted."}', 'run_old', 4200, 7);

insert into messages (key, turn_key, position, role, text, created_at)
values (1, 1, 0, 'user', 'the wifi password is marigold', 1893456000000),
  (2, 1, 1, 'assistant', 'Noted.', 1893456000000);

insert into messages_words (rowid, words)
values (1, 'the wifi password is marigold'),
  (2, 'noted');

insert into continuations (turn_key, position, label, model, reasons)
values (1, 2, 'Ollama', 'qwen3', '["The server failed (529)."]');

insert into connections (name, failures, error, failed_at, rests_until)
values ('main', 1, '{"code":"serverFailed","message":"failed","hint":null,"retryAfterMs":null}', 1893456000000, 1893456060000);

insert into facts (key, id, sentence, learned_at, source, trust, norm_key)
values (1, 'fact_old', 'the wifi is called marigold', 1893456000000, 'user_said', 'owner', 'aa');

insert into facts_words (rowid, words)
values (1, 'the wifi is called marigold');

insert into fact_sources (fact_key, message_key, quote_start, quote_end)
values (1, 1, null, null);

insert into fact_tellings (fact_key, turn_key)
values (1, 1);

insert into memory_ops (at, op, facts)
values (1893456000000, 'remembered', 1);

insert into queued_messages (id, session_id, text, mode, queued_at, think, allow_spending)
values ('que_old', 'ses_old', 'and the router?', 'agent', 1893456000000, 'high', 1);
