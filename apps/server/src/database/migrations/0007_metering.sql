-- The balance: what a counter has used on a UTC day. A new day is a new row, so nothing is ever reset. This row is
-- nearly all of the ledger too: a counter has one key, unless that was rotated on the day. So a request writes to one
-- row, and a day of a key is one row.
create table usage_days (
  quota_subject text not null,
  day date not null,
  plan_used integer not null default 0 check (plan_used >= 0),
  -- What the last statement granted: how `reserve_units` learns it from its update (RETURNING knows the old row only
  -- since PostgreSQL 18).
  last_grant integer not null default 0,
  -- The first key of the day that used the counter, and what the plan paid for it, by endpoint. No foreign key: it would
  -- lock the key's row at the first request of each day, and look through all days for each key that is deleted
  -- (old-usage.ts deletes none that has used something that is kept).
  key_id text,
  prices integer not null default 0,
  changes integer not null default 0,
  webhooks integer not null default 0,
  -- Numbers of the day's countdown that were given back after others had counted on, and are granted again before new
  -- ones; null: none. The unit that is counted next has the number plan_used + gap_units(gaps) + 1, or one of these.
  gaps int4multirange,
  last_used_at timestamptz,
  primary key (quota_subject, day),
  check (least(prices, changes, webhooks) >= 0)
) with (
  fillfactor = 50, -- room for updates in place: these rows change with every request
  -- Old days go all the time, out of a table that holds very many: a fifth of it is too much to wait for.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
-- The counters of today, for who is told that a quota is nearly used up. An expression that no other statement has: a
-- reservation never walks a day; and those of days long past, to delete. It holds no column that changes, so updates stay in place.
create index usage_days_day on usage_days ((day - date '2000-01-01'));

-- No index by key: the primary key finds the last use of a key, and a reservation's statements have one index to use,
-- whatever the planner knows of a table that was empty a moment ago.
create table usage_ledger (
  quota_subject text not null,
  day date not null,
  key_id text not null,
  endpoint text not null check (endpoint in ('prices', 'changes', 'webhooks')),
  -- The pack that paid; empty when the plan did.
  pack_id text not null default '',
  units integer not null check (units > 0),
  last_used_at timestamptz not null,
  primary key (quota_subject, day, key_id, endpoint, pack_id)
) with (fillfactor = 50);
-- ledger verify, per pack.
create index usage_ledger_pack on usage_ledger (pack_id) where pack_id <> '';

-- The ledger: units used by key, endpoint and payer.
create view usage_entries as
  select quota_subject, day, key_id, endpoint, pack_id, units, last_used_at
  from usage_ledger
  union all
  select d.quota_subject, d.day, d.key_id, e.endpoint, '', e.units, d.last_used_at
  from usage_days d
  cross join lateral (
    values ('prices', d.prices), ('changes', d.changes), ('webhooks', d.webhooks)
  ) as e (endpoint, units)
  where e.units > 0;

-- The last batch that each server process reserved, written in the transaction of the batch. After a connection is lost
-- at commit, this row says whether the batch was reserved, and its outcome.
-- Workers delete it once nobody can ask for it any more (batcher-store.ts). No index by age: it would end updates in
-- place, and there are few rows.
create table meter_batchers (
  id uuid primary key,
  batch bigint not null default 0,
  outcome text not null default '',
  updated_at timestamptz not null default ratecard_now()
) with (fillfactor = 50); -- as usage_days: room for updates in place

-- Makes `batch` the last one of its batcher. A batch that was given up is refused here, however late it arrives.
create function end_batch(p_batcher uuid, p_batch bigint, p_outcome text) returns void
  language plpgsql volatile
  as $$
begin
  update meter_batchers set batch = p_batch, outcome = p_outcome, updated_at = clock_timestamp()
  where id = p_batcher and batch < p_batch;
  if not found then
    insert into meter_batchers (id, batch, outcome, updated_at)
    values (p_batcher, p_batch, p_outcome, clock_timestamp())
    on conflict do nothing;
    if not found then
      raise exception 'batch % of batcher % was given up', p_batch, p_batcher;
    end if;
  end if;
end
$$;

-- The outcome of a batch whose connection was lost; null: it has none and never will. Waits for a transaction that is
-- still about to end it.
create function recover_batch(p_batcher uuid, p_batch bigint) returns text
  language plpgsql volatile
  as $$
declare
  v_batcher meter_batchers;
begin
  insert into meter_batchers (id) values (p_batcher) on conflict do nothing;
  select * into strict v_batcher from meter_batchers where id = p_batcher for update;
  if v_batcher.batch = p_batch then
    return nullif(v_batcher.outcome, '');
  end if;
  -- Never back: this call may itself come late, after batches that were reserved since.
  update meter_batchers set batch = p_batch, outcome = '', updated_at = clock_timestamp()
  where id = p_batcher and batch < p_batch;
  return null;
end
$$;

-- Adds units to a row of the ledger. p_pack: the pack that paid; empty when the plan did.
create function add_entry(
  p_subject text, p_day date, p_key text, p_endpoint text, p_pack text, p_units integer, p_now timestamptz
) returns void
  language sql volatile
  begin atomic
    insert into usage_ledger as l (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
    values (p_subject, p_day, p_key, p_endpoint, p_pack, p_units, p_now)
    on conflict (quota_subject, day, key_id, endpoint, pack_id) do update
      set units = l.units + excluded.units, last_used_at = excluded.last_used_at;
  end;

-- The result of an item that has a caller, in JSON, up to what packs paid: `GrantTuple` in unit-store.ts. Fields
-- without names, joined as text: with json_build_object a batch of 32 costs 16 % more, mostly for the longer outcome
-- that `end_batch` writes down.
create function result_head(
  p_key text, p_account text, p_subject text, p_limit integer, p_used integer, p_units integer
) returns text
  language sql stable
  return concat('["', p_key, '","', p_account, '","', p_subject, '",', p_limit, ',', p_used, ',', p_units, ',[');

create function gap_units(p_gaps int4multirange) returns integer
  language sql immutable strict
  return (select sum(upper(gap) - lower(gap))::integer from unnest(p_gaps) gap);

-- What a plan grants of the numbers that follow each other: nothing while there are gaps, which go first.
create function next_units(p_want integer, p_limit integer, p_used integer, p_gaps int4multirange) returns integer
  language sql immutable
  return case when p_gaps is null then least(p_want, p_limit - p_used) else 0 end;

-- Grants units of a counter that has gaps, and that the caller has locked: the lowest gaps first, then new numbers. So
-- each number of a day is answered once, and what was given back is not lost.
--
-- p_units: all that is granted. p_new: how many of these have new numbers, of which p_used is the last. p_filled: the
-- gaps that were taken, in JSON, each its last number and its units.
create function fill_gaps(
  p_subject text, p_day date, p_key text, p_endpoint text, p_limit integer, p_want integer, p_now timestamptz,
  out p_units integer, out p_new integer, out p_used integer, out p_filled text
)
  language plpgsql volatile
  as $$
declare
  v_counter usage_days;
  v_gap int4range;
  v_taken integer;
  v_first_key integer;
begin
  select * into strict v_counter from usage_days d where d.quota_subject = p_subject and d.day = p_day;
  p_want := least(p_want, p_limit - v_counter.plan_used);
  p_units := 0;
  p_filled := '';
  while p_units < p_want and not isempty(v_counter.gaps) loop
    select gap into v_gap from unnest(v_counter.gaps) gap order by gap limit 1;
    v_taken := least(p_want - p_units, upper(v_gap) - lower(v_gap));
    v_gap := int4range(lower(v_gap), lower(v_gap) + v_taken);
    v_counter.gaps := v_counter.gaps - int4multirange(v_gap);
    p_units := p_units + v_taken;
    p_filled := p_filled || ',[' || upper(v_gap) - 1 || ',' || v_taken || ']';
  end loop;
  p_new := p_want - p_units;
  p_units := p_want;
  p_used := v_counter.plan_used + p_units;
  p_filled := ',[' || substr(p_filled, 2) || ']';
  v_first_key := case when p_key = v_counter.key_id then p_units else 0 end;
  update usage_days d
  set plan_used = p_used, gaps = nullif(v_counter.gaps, '{}'), last_grant = p_units,
    prices = d.prices + case when p_endpoint = 'prices' then v_first_key else 0 end,
    changes = d.changes + case when p_endpoint = 'changes' then v_first_key else 0 end,
    webhooks = d.webhooks + case when p_endpoint = 'webhooks' then v_first_key else 0 end,
    last_used_at = case when p_key = d.key_id then p_now else d.last_used_at end
  where d.quota_subject = p_subject and d.day = p_day;
end
$$;

-- The gaps of a counter once these numbers are given back. The last numbers make none: they are the next ones again.
create function with_gap(p_used integer, p_gaps int4multirange, p_first integer, p_last integer)
  returns int4multirange
  language plpgsql immutable
  as $$
declare
  v_gaps int4multirange := coalesce(p_gaps, '{}') + int4multirange(int4range(p_first, p_last + 1));
  v_last_gap int4range;
begin
  if p_last is null then
    -- A range without an end would be all numbers.
    raise exception 'units of the plan were given back without their numbers';
  end if;
  select gap into strict v_last_gap from unnest(v_gaps) gap order by gap desc limit 1;
  if upper(v_last_gap) > p_used + coalesce(gap_units(p_gaps), 0) then
    v_gaps := v_gaps - int4multirange(v_last_gap);
  end if;
  return nullif(v_gaps, '{}');
end
$$;

-- `reserve_units` for any number of items: returns their results, in JSON.
--
-- Most of a statement's cost is its start, so one statement serves all items: many items take about 15 microseconds
-- each; with statements of its own, each would take 45.
create function reserve_together(
  p_now timestamptz, p_day date, p_limits integer[],
  p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[]
) returns text
  language plpgsql volatile
  as $$
declare
  -- By item; the result null: still to be decided.
  v_results text[];
  v_keys text[];
  v_accounts text[];
  v_subjects text[];
  v_limits integer[];
  v_grants integer[] := '{}';
  -- Items whose counters the day does not have yet.
  v_missing integer[];
  v_round record;
  v_pack record;
  v_item integer;
  v_wanted integer;
  v_units integer;
  v_packs text;
  -- By item: the gaps that it took, in JSON.
  v_filled text[] := '{}';
  v_fill record;
  -- Items for which the plan has too little.
  v_short integer[];
begin
  select array_agg(c.key_id), array_agg(c.account_id), array_agg(c.quota_subject),
    array_agg(c.daily_limit), array_agg(c.refusal),
    array_agg(c.item) filter (where c.refusal is null and c.has_counter is null)
  into v_keys, v_accounts, v_subjects, v_limits, v_results, v_missing
  from (
    select i.item, k.*, daily_limit(p_limits, k.plans_held) as daily_limit,
      case
        when k.key_id is null then '"unknown"'
        when k.plans_held & i.plans = 0 or (k.scope = 'prices' and i.endpoint <> 'prices') then '"forbidden"'
        when i.version <> (select f.version from list_versions f where f.list = i.endpoint) then '"stale"'
      end as refusal,
      -- A subquery, because a join could be planned as a pass over all counters of the day.
      (
        select true from usage_days d where d.quota_subject = k.quota_subject and d.day = p_day
      ) as has_counter
    from unnest(p_hashes, p_endpoints, p_plans, p_versions)
      with ordinality as i (hash, endpoint, plans, version, item)
    left join lateral find_caller(i.hash, p_now) k on true
    order by i.item
  ) c;
  if v_missing is not null then
    insert into usage_days (quota_subject, day, key_id)
    select distinct on (v_subjects[item]) v_subjects[item], p_day, v_keys[item]
    from unnest(v_missing) as item
    order by v_subjects[item], item
    on conflict do nothing;
  end if;

  -- Items for one counter follow each other in rounds; mostly there is one round, and the plan pays all.
  loop
    with granted as (
      update usage_days d
      set plan_used = d.plan_used + next_units(i.want, i.daily_limit, d.plan_used, d.gaps),
        last_grant = next_units(i.want, i.daily_limit, d.plan_used, d.gaps),
        prices = d.prices + case
          when i.endpoint = 'prices' and i.key_id = d.key_id then next_units(i.want, i.daily_limit, d.plan_used, d.gaps) else 0
        end,
        changes = d.changes + case
          when i.endpoint = 'changes' and i.key_id = d.key_id then next_units(i.want, i.daily_limit, d.plan_used, d.gaps) else 0
        end,
        webhooks = d.webhooks + case
          when i.endpoint = 'webhooks' and i.key_id = d.key_id then next_units(i.want, i.daily_limit, d.plan_used, d.gaps) else 0
        end,
        last_used_at = case when i.key_id = d.key_id then p_now else d.last_used_at end
      from (
        select distinct on (u.subject) u.*
        from unnest(v_subjects, v_keys, v_accounts, p_endpoints, v_limits, p_wants, v_results)
          with ordinality as u (subject, key_id, account_id, endpoint, daily_limit, want, result, item)
        where u.result is null
        -- The order in which counters are locked.
        order by u.subject, u.item
      ) i
      where d.quota_subject = i.subject and d.day = p_day and d.plan_used < i.daily_limit
      returning i.item, i.subject, i.want, d.last_grant as units, i.key_id = d.key_id as is_first_key,
        d.gaps is not null as has_gaps,
        result_head(i.key_id, i.account_id, i.subject, i.daily_limit, d.plan_used, d.last_grant) as result
    )
    select count(*) filter (where g.units = g.want and g.is_first_key) as count_paid,
      string_agg(g.result || ']]', ',' order by g.item) as results_paid,
      array_agg(g.item) as items, array_agg(g.subject) as subjects, array_agg(g.units) as units,
      array_agg(g.is_first_key) as are_first_keys, array_agg(g.has_gaps) as have_gaps, array_agg(g.result) as results
    into v_round
    from granted g;
    if v_round.count_paid = cardinality(p_hashes) then
      return v_round.results_paid;
    end if;

    for v_index in 1 .. coalesce(cardinality(v_round.items), 0) loop
      v_item := v_round.items[v_index];
      v_units := v_round.units[v_index];
      v_results[v_item] := v_round.results[v_index];
      if v_round.have_gaps[v_index] then
        v_fill := fill_gaps(
          v_subjects[v_item], p_day, v_keys[v_item], p_endpoints[v_item], v_limits[v_item], p_wants[v_item], p_now
        );
        v_units := v_fill.p_units;
        v_filled[v_item] := v_fill.p_filled;
        v_results[v_item] := result_head(
          v_keys[v_item], v_accounts[v_item], v_subjects[v_item], v_limits[v_item], v_fill.p_used, v_fill.p_new
        );
      end if;
      v_grants[v_item] := v_units;
      if v_units = p_wants[v_item] then
        v_results[v_item] := v_results[v_item] || ']' || coalesce(v_filled[v_item], '') || ']';
      else
        v_short := v_short || v_item;
      end if;
      if v_round.are_first_keys[v_index] is not true then
        perform add_entry(v_subjects[v_item], p_day, v_keys[v_item], p_endpoints[v_item], '', v_units, p_now);
      end if;
    end loop;
    -- Counters at their limit, which are not locked: no item of this batch gets a unit of them. The next round might
    -- find one that a release has lowered, and would lock it out of order.
    for v_item in
      select i.item
      from unnest(v_subjects, v_results) with ordinality as i (subject, result, item)
      where i.result is null and i.subject <> all (coalesce(v_round.subjects, '{}'))
    loop
      v_grants[v_item] := 0;
      v_results[v_item] := result_head(
        v_keys[v_item], v_accounts[v_item], v_subjects[v_item], v_limits[v_item], v_limits[v_item], 0
      );
      v_short := v_short || v_item;
    end loop;
    exit when array_position(v_results, null) is null;
  end loop;
  if v_short is not null then
    for v_item in
      select s.item from unnest(v_short) as s (item) order by v_accounts[s.item], s.item
    loop
      v_wanted := p_wants[v_item] - v_grants[v_item];
      perform 1 from accounts a where a.id = v_accounts[v_item] for no key update;
      v_packs := '';
      for v_pack in
        select p.id, p.remaining from packs p
        where p.account_id = v_accounts[v_item] and p.remaining > 0 and p.expires_at > p_now
        order by p.purchased_at, p.id
      loop
        v_units := least(v_pack.remaining, v_wanted);
        update packs p set remaining = p.remaining - v_units where p.id = v_pack.id;
        perform add_entry(
          v_subjects[v_item], p_day, v_keys[v_item], p_endpoints[v_item], v_pack.id, v_units, p_now
        );
        v_packs := v_packs || ',["' || v_pack.id || '",' || v_units || ']';
        v_wanted := v_wanted - v_units;
        exit when v_wanted = 0;
      end loop;
      v_results[v_item] := v_results[v_item] || substr(v_packs, 2) || ']' || coalesce(v_filled[v_item], '') || ']';
    end loop;
  end if;

  return array_to_string(v_results, ',');
end
$$;

-- Takes units for requests that wait together: for each item up to `want` units, from the day's plan quota of its key,
-- else from the account's packs, oldest first, else not at all. Keys and plans are looked up here, so what was revoked
-- or changed before counts. Commits with the caller's transaction.
--
-- p_limits: requests a day on the free, developer, scale, team and enterprise plan.
-- p_plans: the plans that include the endpoint, as bits. A key for prices alone gets nothing else, whatever the plan.
-- p_versions: the state of the list that the answer was made from; null: no matter. Where it has moved nothing is taken.
--
-- Returns JSON: {"day", "secondsToReset", "items"}, an item being "unknown", "forbidden", "stale" or
-- [key id, account id, quota subject, limit, plan units used, units granted by the plan, [[pack id, units], …],
-- [[last number, units], …]], the last being gaps that were filled (`fill_gaps`), and mostly left out.
--
-- Counters are locked in one order, then accounts in one order: batches never wait in a circle. Counters that the day
-- does not have yet are made before any is locked, in the same order. A batch that waits for a counter decides by what
-- its holder left: two requests never both take the last unit, nor one a pack's while the plan has one left. The account
-- is locked before packs are looked at: each statement after it sees what the previous holder committed, so packs are
-- used strictly in order and none is passed over.
create function reserve_units(
  p_batcher uuid, p_batch bigint, p_limits integer[],
  p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[]
) returns text
  language plpgsql volatile
  as $$
declare
  v_now timestamptz := ratecard_now();
  v_day date := (v_now at time zone 'utc')::date;
  v_key text;
  v_account text;
  v_subject text;
  v_limit integer;
  v_used integer;
  v_results text;
  v_outcome text;
begin
  -- One item that the plan pays, as nearly always when no other request waits: smaller statements, which begin sooner.
  if cardinality(p_hashes) = 1 then
    select c.key_id, c.account_id, c.quota_subject, daily_limit(p_limits, c.plans_held)
    into v_key, v_account, v_subject, v_limit
    from find_caller(p_hashes[1], v_now) c
    where c.plans_held & p_plans[1] <> 0 and (c.scope = 'all' or p_endpoints[1] = 'prices') and (
      p_versions[1] is null
      or p_versions[1] = (select f.version from list_versions f where f.list = p_endpoints[1])
    );
    update usage_days d
    set plan_used = d.plan_used + p_wants[1],
      prices = d.prices + case when p_endpoints[1] = 'prices' then p_wants[1] else 0 end,
      changes = d.changes + case when p_endpoints[1] = 'changes' then p_wants[1] else 0 end,
      webhooks = d.webhooks + case when p_endpoints[1] = 'webhooks' then p_wants[1] else 0 end,
      last_used_at = v_now
    where d.quota_subject = v_subject and d.day = v_day and d.key_id = v_key and d.plan_used + p_wants[1] <= v_limit
      and d.gaps is null
    returning d.plan_used into v_used;
    if found then
      v_results := result_head(v_key, v_account, v_subject, v_limit, v_used, p_wants[1]) || ']]';
    end if;
  end if;

  if v_results is null then
    v_results := reserve_together(v_now, v_day, p_limits, p_hashes, p_endpoints, p_plans, p_wants, p_versions);
  end if;
  v_outcome := concat('{"day":"', v_day, '","secondsToReset":',
    greatest(1, ceil(date_part('epoch', (v_day + 1)::timestamp at time zone 'utc' - v_now))),
    ',"items":[', v_results, ']}');
  if p_batcher is not null then
    perform end_batch(p_batcher, p_batch, v_outcome);
  end if;
  return v_outcome;
end
$$;

-- Gives units back that were reserved for requests that could not be answered. Locks in the order of `reserve_units`.
create function release_units(
  p_batcher uuid, p_batch bigint,
  p_subjects text[], p_days date[], p_keys text[], p_endpoints text[],
  -- The pack that paid; empty when the plan did.
  p_packs text[], p_units integer[],
  -- The number of the last of these units, where the plan paid.
  p_lasts integer[]
) returns void
  language plpgsql volatile
  as $$
declare
  unit record;
  v_first_key text;
begin
  for unit in
    select u.*, p.account_id
    from unnest(p_subjects, p_days, p_keys, p_endpoints, p_packs, p_units, p_lasts)
      as u (subject, day, key_id, endpoint, pack_id, units, last)
    left join packs p on p.id = u.pack_id
    -- The plan's units have no account and come first.
    order by p.account_id nulls first, u.subject, u.day
  loop
    if unit.pack_id = '' then
      update usage_days d
      set plan_used = d.plan_used - unit.units,
        gaps = with_gap(d.plan_used, d.gaps, unit.last - unit.units + 1, unit.last),
        prices = d.prices - case when unit.endpoint = 'prices' and d.key_id = unit.key_id then unit.units else 0 end,
        changes = d.changes - case when unit.endpoint = 'changes' and d.key_id = unit.key_id then unit.units else 0 end,
        webhooks = d.webhooks - case when unit.endpoint = 'webhooks' and d.key_id = unit.key_id then unit.units else 0 end
      where d.quota_subject = unit.subject and d.day = unit.day
      returning d.key_id into v_first_key;
      continue when v_first_key = unit.key_id;
    else
      perform 1 from accounts a where a.id = unit.account_id for no key update;
      update packs set remaining = remaining + unit.units where id = unit.pack_id;
    end if;
    delete from usage_ledger
    where quota_subject = unit.subject and day = unit.day and key_id = unit.key_id
      and endpoint = unit.endpoint and pack_id = unit.pack_id and units = unit.units;
    if not found then
      update usage_ledger set units = units - unit.units
      where quota_subject = unit.subject and day = unit.day and key_id = unit.key_id
        and endpoint = unit.endpoint and pack_id = unit.pack_id;
    end if;
  end loop;
  if p_batcher is not null then
    perform end_batch(p_batcher, p_batch, 'released');
  end if;
end
$$;

-- The request log: what programs asked for lately, for the people of their account (docs/decisions/021-request-log.md).
-- Server processes write it in the background, and nothing that is charged depends on it. Rows are deleted after some
-- days, and the oldest of an account that has very many: by bounded deletes, because the role that serves may not drop
-- partitions. No foreign keys: each would cost a look at another table for each line.
create table request_lines (
  account_id text not null,
  at timestamptz not null,
  -- The `X-Request-Id` of the answer.
  id text collate "C" not null,
  key_id text not null,
  operation text not null,
  -- Path and query, as far as they may be shown.
  target text not null,
  status smallint not null,
  -- The code in the answer; empty: it was served.
  error text not null,
  duration_ms real not null,
  primary key (account_id, at, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
-- Lines to delete.
create index request_lines_at on request_lines (at);

-- How many requests there were, those that have no line included.
create table request_counts (
  account_id text not null,
  hour timestamptz not null,
  key_id text not null,
  operation text not null,
  status smallint not null,
  error text not null,
  requests bigint not null check (requests > 0),
  primary key (account_id, hour, key_id, operation, status, error)
) with (fillfactor = 50); -- room for updates in place
-- Counts to delete.
create index request_counts_hour on request_counts (hour);

-- Whose a request was: by the key's id, or by the hash of a key that has ended. No row for a hash that is no key's,
-- and for a deleted account.
create function find_requester(p_key_id text, p_key_hash text) returns table (account_id text, id text)
  language sql stable
  begin atomic
    select k.account_id, k.id
    from (
      select f.account_id, f.id from api_keys f where f.id = p_key_id
      union all
      select f.account_id, f.id from api_keys f where f.hash = decode(p_key_hash, 'hex')
    ) k
    join accounts a on a.id = k.account_id and a.deleted_at is null;
  end;

-- Writes down what a process has seen since it last did. Both are JSON arrays; times are ages, because this database
-- has the one clock. Owners are looked up here, out of the requests' way. Counters are written in one order, so processes
-- do not wait for each other in a circle.
create function record_requests(p_counts jsonb, p_lines jsonb) returns void
  language sql volatile
  begin atomic
    insert into request_counts as c (account_id, hour, key_id, operation, status, error, requests)
    select k.account_id, date_trunc('hour', clock.now - n.age_ms * interval '1 millisecond', 'UTC') as hour, k.id,
      n.operation, n.status, n.error, sum(n.requests)
    from (select ratecard_now() as now) clock
    cross join jsonb_to_recordset(p_counts)
      as n (key_id text, key_hash text, operation text, status smallint, error text, requests bigint, age_ms float8)
    cross join lateral find_requester(n.key_id, n.key_hash) k
    group by k.account_id, hour, k.id, n.operation, n.status, n.error
    order by k.account_id, hour, k.id, n.operation, n.status, n.error
    on conflict (account_id, hour, key_id, operation, status, error) do update
      set requests = c.requests + excluded.requests;

    insert into request_lines (account_id, at, id, key_id, operation, target, status, error, duration_ms)
    select k.account_id, clock.now - n.age_ms * interval '1 millisecond', n.id, k.id, n.operation, n.target, n.status,
      n.error, n.duration_ms
    from (select ratecard_now() as now) clock
    cross join jsonb_to_recordset(p_lines) as n (
      id text, key_id text, key_hash text, operation text, target text, status smallint, error text, duration_ms real,
      age_ms float8
    )
    cross join lateral find_requester(n.key_id, n.key_hash) k
    on conflict do nothing;
  end;
