-- Which state a feed is in: moves with every statement that writes to it, in the transaction of the write. A page
-- made from one version is the page of now as long as the version is the same.
create table feed_versions (
  feed text primary key check (feed in ('prices', 'changes')),
  version bigint not null
);
insert into feed_versions (feed, version) values ('prices', 0), ('changes', 0);

-- Counts in microseconds of the clock, so that a database restored from a backup does not come by the same version
-- again with other rows.
create function move_feed_version() returns trigger
  language plpgsql
  as $$
begin
  update feed_versions
  set version = greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where feed = tg_argv[0];
  return null;
end
$$;
create trigger prices_version after insert or update or delete or truncate on prices
  for each statement execute function move_feed_version('prices');
create trigger changes_version after insert or update or delete or truncate on changes
  for each statement execute function move_feed_version('changes');
create trigger change_alternatives_version after insert or update or delete or truncate on change_alternatives
  for each statement execute function move_feed_version('changes');

-- What packs have paid stands in the ledger and in the packs themselves.
alter table usage_days drop column topup_used;
-- What the last statement granted: how `reserve_units` learns it from its update (RETURNING knows the old row only
-- since PostgreSQL 18).
alter table usage_days add column last_grant integer not null default 0;
drop function reserve_unit;
-- The last use of a key is found by the primary key. Without this index a reservation's statements have one index to
-- go by, whatever the planner knows of a table that was empty a moment ago.
drop index usage_ledger_key;

-- Where each server process writes down the last batch it reserved, in the transaction of the batch. After a connection
-- lost at commit this says whether the batch was reserved, and what it got.
create table meter_lanes (
  id uuid primary key,
  batch bigint not null default 0,
  outcome text not null default '',
  updated_at timestamptz not null default ratecard_now()
) with (fillfactor = 50); -- as usage_days: room for updates in place

-- Makes `batch` the last one of its lane. A batch that was given up is refused here, however late it arrives.
create function end_batch(p_lane uuid, p_batch bigint, p_outcome text) returns void
  language plpgsql volatile
  as $$
begin
  update meter_lanes set batch = p_batch, outcome = p_outcome, updated_at = clock_timestamp()
  where id = p_lane and batch < p_batch;
  if not found then
    insert into meter_lanes (id, batch, outcome, updated_at)
    values (p_lane, p_batch, p_outcome, clock_timestamp())
    on conflict do nothing;
    if not found then
      raise exception 'batch % of lane % was given up', p_batch, p_lane;
    end if;
  end if;
end
$$;

-- The outcome of a batch whose connection was lost; null: it has none and never will. Waits for a transaction that is
-- still about to end it.
create function settle_batch(p_lane uuid, p_batch bigint) returns text
  language plpgsql volatile
  as $$
declare
  v_lane meter_lanes;
begin
  insert into meter_lanes (id) values (p_lane) on conflict do nothing;
  select * into strict v_lane from meter_lanes where id = p_lane for update;
  if v_lane.batch = p_batch then
    return nullif(v_lane.outcome, '');
  end if;
  -- Never back: this call may itself come late, after batches that were reserved since.
  update meter_lanes set batch = p_batch, outcome = '' where id = p_lane and batch < p_batch;
  return null;
end
$$;

-- The owner of a key, unless it is revoked, and the plans of its account now, as bits: 1 free, 2 developer, 4 scale,
-- 8 team, 16 enterprise. Becomes part of the statement that asks.
create function find_caller(p_hash bytea, p_now timestamptz)
  returns table (key_id text, account_id text, quota_subject text, plans_held integer)
  language sql stable
  as $$
  select k.id, k.account_id, k.quota_subject, s.plans_held
  from api_keys k
  cross join lateral (
    select 1 | coalesce(bit_or(
      case s.plan when 'developer' then 2 when 'scale' then 4 when 'team' then 8 else 16 end
    ), 0) as plans_held
    from subscriptions s
    where s.account_id = k.account_id and s.status = 'active'
      and s.starts_at <= p_now and (s.ends_at is null or s.ends_at > p_now)
  ) s
  where k.hash = p_hash and (k.revoked_at is null or k.revoked_at > p_now)
$$;

-- The most generous of the plans counts. p_limits: requests a day on each plan, in the order of the bits.
create function daily_limit(p_limits integer[], p_plans_held integer) returns integer
  language sql immutable
  return greatest(
    p_limits[1],
    case when p_plans_held & 2 <> 0 then p_limits[2] end,
    case when p_plans_held & 4 <> 0 then p_limits[3] end,
    case when p_plans_held & 8 <> 0 then p_limits[4] end,
    case when p_plans_held & 16 <> 0 then p_limits[5] end
  );
