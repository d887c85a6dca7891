-- A subscription to alerts and its record of success, read when an attempt is sent and when one has failed.
create table webhooks (
  id text primary key,
  account_id text not null references accounts,
  -- For people; null: it goes by its address.
  name text check (char_length(name) between 1 and 100),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  -- AES-256-GCM under the key named by secret_key_id, bound to this row's id and account.
  secret_ciphertext bytea not null,
  secret_key_id text not null,
  -- The secret that signs from next_secret_at on. Until then its owner brings it to the endpoint; nothing has to be
  -- done at that moment, and the next rotation or reseal moves it into its place.
  next_secret_ciphertext bytea,
  next_secret_key_id text,
  next_secret_at timestamptz,
  -- Whether deliveries carry the headers of Standard Webhooks beside ours. Off: a receiver that verifies ours needs no
  -- others.
  standard_headers boolean not null default false,
  -- Of which changes it is told: of these vendors, of these products, from this severity on. A list that is empty and
  -- severity 1 leave nothing out.
  vendors text[] not null default '{}' check (cardinality(vendors) <= 20),
  products text[] not null default '{}' check (cardinality(products) <= 50),
  min_severity smallint not null default 1 check (min_severity between 1 and 5),
  last_status integer,
  last_error text,
  -- Start of the attempt that last_status and last_error describe: a slower, older attempt does not overwrite them.
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  -- From when on failures count towards switching off: creation, the last success, or being switched on again.
  failing_since timestamptz not null default ratecard_now(),
  -- Deliveries given up since then.
  exhausted_count integer not null default 0,
  -- Whether the last attempt timed out. Such endpoints share slots of their own, so they delay no other.
  is_slow boolean not null default false,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now(),
  check (num_nulls(next_secret_ciphertext, next_secret_key_id, next_secret_at) in (0, 3))
);
-- The owner's list, and the count behind the limit on active webhooks.
create index webhooks_account on webhooks (account_id, created_at, id);

-- The changes of which one publication alerts, in its order. Cells have them from their hub: who is told of them differs
-- by cell. Never changed.
create table announcements (
  id text primary key,
  -- As that of alerts.
  event text not null,
  change_ids text[] not null check (cardinality(change_ids) > 0),
  created_at timestamptz not null default ratecard_now()
);
-- Announcements to delete.
create index announcements_created on announcements (created_at);

-- Announcements whose alerts this database has made, in the transaction that made them: two workers make them once. No
-- foreign key: a cell that fetches all of its hub again still knows what it has told.
create table alert_fanouts (
  announcement_id text primary key,
  at timestamptz not null default ratecard_now()
);
create index alert_fanouts_at on alert_fanouts (at);

-- The changes of one alert, in the order of the list; at most 100, and at most 256 KiB as they are sent. All
-- subscriptions that are told of the same changes share it. It never changes: each attempt, and each delivery that is
-- sent again, tells of the same, whatever became of the subscription's filter.
create table alerts (
  id text primary key,
  -- What it tells of: `event` of its body. The contract lists the values.
  event text not null,
  change_ids text[] not null check (cardinality(change_ids) between 1 and 100),
  -- Where the links of its changes begin: a server that moves sends the same bytes again.
  public_url text not null,
  created_at timestamptz not null default ratecard_now()
);
-- Alerts to delete.
create index alerts_created on alerts (created_at);

-- One alert to one subscription: the record of its arrival, and the log. The queue only says when to try.
create table deliveries (
  id text primary key,
  alert_id text not null references alerts,
  -- No foreign key: the log outlives the subscription.
  webhook_id text not null,
  account_id text not null references accounts,
  -- The delivery that it sends again. No foreign key: that one is forgotten first.
  resent_from text,
  state text not null default 'pending'
    check (state in ('pending', 'delivered', 'exhausted', 'not_entitled', 'inactive', 'cancelled')),
  -- Finished attempts. An attempt finishes by moving this on from its predecessor, once.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null default ratecard_now(),
  finished_at timestamptz
  -- No index holds a column that an attempt changes, and heap pages have room for the new version: no index is written.
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- deliveries list, and cancelling those of a deleted subscription.
create index deliveries_webhook on deliveries (webhook_id, created_at desc, id desc);
create index deliveries_recent on deliveries (created_at desc, id desc);
-- What was sent to an account, page by page, to deleted subscriptions too; and recent failures.
create index deliveries_account on deliveries (account_id, created_at desc, id desc);
-- retention, and the changes of an alert.
create index deliveries_alert on deliveries (alert_id, webhook_id);

create table delivery_attempts (
  delivery_id text not null references deliveries on delete cascade,
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null when no answer came.
  status integer,
  -- Null when it succeeded; else timeout, dns, tls, connect, blocked_address, redirect or http_<status>.
  error_class text,
  error text,
  primary key (delivery_id, attempt)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- What went over the line in an attempt: the request but for its body, which follows from the alert and the time, and
-- the beginning of the answer. Large beside the attempt itself, so it is apart, and forgotten sooner.
create table delivery_exchanges (
  delivery_id text not null,
  attempt integer not null,
  -- That of the delivery.
  account_id text not null,
  -- When the attempt began: the time in its body.
  started_at timestamptz not null,
  url text not null,
  -- As they were sent.
  request_headers jsonb not null,
  -- SHA-256 of the body: what is shown is what was sent.
  body_hash bytea not null,
  -- Null when no answer came.
  response_headers jsonb,
  response_body text check (char_length(response_body) <= 1024),
  response_is_cut boolean not null default false,
  primary key (delivery_id, attempt),
  foreign key (delivery_id, attempt) references delivery_attempts on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02);
-- What is forgotten: the oldest of an account beyond its share, and what is too old.
create index delivery_exchanges_account on delivery_exchanges (account_id, started_at desc);
create index delivery_exchanges_started on delivery_exchanges (started_at);
