-- What a running turn has used so far, a list of Spent as JSON. Null once its books are closed.
alter table turns add column spent text;

-- What a waiting message was sent with, as `model` beside it.
alter table queued_messages add column think text check (think in ('off', 'low', 'medium', 'high'));
alter table queued_messages add column allow_spending integer not null default 0 check (allow_spending in (0, 1));
