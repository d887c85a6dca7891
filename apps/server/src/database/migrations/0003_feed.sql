-- The version of each list: it moves with every statement that writes to the list, in the transaction of the write.
-- What was read at one version is current as long as the version is the same.
create table list_versions (
  list text primary key check (list in ('prices', 'changes')),
  version bigint not null
);
insert into list_versions (list, version) values ('prices', 0), ('changes', 0);

-- Counts in microseconds of the clock: a database restored from a backup does not reach the same version again with
-- other rows.
create function move_list_version() returns trigger
  language plpgsql
  as $$
begin
  update list_versions
  set version = greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where list = tg_argv[0];
  return null;
end
$$;

-- A served link is an http or https address as RFC 3986 has it, without user information.
create function ratecard_is_web_address(address text) returns boolean
  language sql immutable parallel safe
  return length(address) <= 2048
    and address ~ '^https?://[A-Za-z0-9._~!$&''()*+,;=:\[\]-]+(/([A-Za-z0-9._~!$&''()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(#([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$';

-- When the hub whose prices this database has was last heard of, and the newest migration there: one row, which workers
-- of a hub write every few seconds and its cells follow like a price. No row: there are no cells.
create table feed_pulse (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null,
  migration text not null
);

-- One run of a source and its outcome.
create table feed_runs (
  id text primary key,
  source text not null,
  -- When the source stated it: holds are timed by it. created_at is the time of writing.
  observed_at timestamptz not null,
  -- What the source calls its state, else the first digits of its SHA-256.
  version text not null,
  -- Held: the next run decides. Refused: nothing of the run is taken. Unreachable: there was nothing to read.
  outcome text not null check (outcome in ('applied', 'held', 'refused', 'unreachable')),
  -- Why it was not applied.
  message text,
  -- The newest day that the data itself states; null: it states none.
  data_at date,
  rows integer not null,
  rejected integer not null,
  added integer not null default 0,
  changed integer not null default 0,
  gone integer not null default 0,
  held integer not null default 0,
  published integer not null default 0,
  -- When operators were mailed that it was not applied; null: they were not.
  told_at timestamptz,
  created_at timestamptz not null default ratecard_now()
);
create index feed_runs_source on feed_runs (source, observed_at desc, id desc);
-- The last run that was applied, however many were refused since.
create index feed_runs_applied on feed_runs (source, observed_at, created_at) where outcome = 'applied';
-- Runs to delete: those that found nothing new.
create index feed_runs_idle on feed_runs (created_at) where added + changed + gone + held + published = 0;

-- The state of each source.
create table feed_sources (
  source text primary key,
  last_run text not null references feed_runs,
  -- A refused run observes nothing; null: none was taken yet.
  last_observed_at timestamptz,
  -- Of the last answer that was taken in: what a conditional request asks with.
  url text,
  etag text,
  last_modified text,
  -- The rows that the last run refused: [{"id", "reason"}].
  rejections jsonb not null default '[]',
  -- Fields of the last run with prices that its importer does not know: [{"field", "rows", "example"}].
  unknown_fields jsonb not null default '[]',
  -- A run that waits to be confirmed, and the rows that were gone in it.
  held_run text references feed_runs,
  held_gone text[] not null default '{}'
);

-- What each source says of each resource, and the last move of each amount. What is served is decided from these rows.
create table feed_claims (
  source text not null,
  -- Spellings that differ in case and punctuation have one key: claims with one key are about one resource.
  resource_key text collate "C" not null,
  stated jsonb not null,
  -- By column: since when the source states the present amount, the one before, and what is doubtful of the move.
  moves jsonb not null,
  card_move jsonb,
  first_seen timestamptz not null,
  -- Since when, and in how many runs, the source lacks it; null: the source has it.
  gone_since timestamptz,
  gone_runs integer not null default 0,
  -- When its removal was believed. Until then it counts as present.
  removed_at timestamptz,
  primary key (source, resource_key)
);
create index feed_claims_resource on feed_claims (resource_key);

-- Every state of every claim, from the run that first showed it until the next one.
create table claim_versions (
  source text not null,
  resource_key text collate "C" not null,
  observed_at timestamptz not null,
  run_id text not null references feed_runs deferrable initially deferred,
  -- Null: the source had it no more.
  stated jsonb,
  primary key (source, resource_key, observed_at)
);
-- Whether anything refers to a run that is to be deleted; as in the tables below.
create index claim_versions_run on claim_versions (run_id);

-- Moves that wait for a person, and what was decided.
create table feed_holds (
  id text primary key,
  source text not null,
  resource_id text collate "C" not null,
  -- A run is recorded after its writes, when all is known of it: references to it are checked at the commit.
  run_id text not null references feed_runs deferrable initially deferred,
  reason text not null check (reason in (
    'large', 'factor', 'to_zero', 'from_zero', 'swapped', 'vanished', 'bulk', 'range', 'denied', 'outlier', 'half_row',
    'card'
  )),
  -- Amounts by column: as served, and as stated.
  before jsonb not null,
  after jsonb not null,
  -- Confirmed: an independent source agrees. Withdrawn: the source took it back.
  state text not null default 'open'
    check (state in ('open', 'accepted', 'rejected', 'confirmed', 'withdrawn')),
  first_seen timestamptz not null,
  decided_at timestamptz,
  -- The operator's reason.
  note text,
  -- The address of the operator who decided in the dashboard; null: nobody yet, the command line, or no person.
  decided_by text,
  -- When operators were mailed that it waits; null: they were not.
  told_at timestamptz
);
-- A resource of a source has one open hold at a time; a rejected value is not held again.
create unique index feed_holds_open on feed_holds (source, resource_id) where state = 'open';
create index feed_holds_rejected on feed_holds (source, resource_id) where state = 'rejected';
create index feed_holds_run on feed_holds (run_id);
-- What waits, the oldest first.
create index feed_holds_waiting on feed_holds (first_seen, source, resource_id) where state = 'open';

-- Each time that operators were mailed: one mail to each of them, at most one a day.
create table review_mails (
  told_at timestamptz primary key default ratecard_now(),
  -- What was new then: moves that wait, and sources whose last run was not applied.
  holds integer not null,
  sources text[] not null
);

-- Prices that begin on a later day, as a source dates them.
create table scheduled_prices (
  source text not null,
  resource_id text collate "C" not null,
  starts_on date not null,
  amounts jsonb not null,
  learned_at timestamptz not null,
  -- Days ahead of the last reminder; null: none yet.
  reminded_days integer,
  primary key (source, resource_id, starts_on)
);
