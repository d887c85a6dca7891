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
-- What the last statement granted: how `reserve_units` learns it from its upsert (RETURNING knows the old row only
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

-- The way of `reserve_units` for any items: returns their results, in JSON.
--
-- Most of what a statement costs is to begin it, so one serves all items: many take about 20 microseconds each, where
-- each with statements of its own would take 45.
create function reserve_together(
  p_now timestamptz, p_day date, p_limits integer[],
  p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[]
) returns text
  language plpgsql volatile
  as $$
declare
  v_counter record;
  v_pack record;
  v_item integer;
  v_wanted integer;
  v_units integer;
  v_packs text;
  -- By item; the result null: still to be decided.
  v_results text[];
  v_keys text[];
  v_accounts text[];
  v_subjects text[];
  v_heads text[];
  v_limits integer[];
  v_grants integer[] := '{}';
  -- The counters of a turn, and by counter the item whose turn it is.
  v_counters text[];
  v_items jsonb;
  -- Counters that the day does not have yet.
  v_missing text[];
  v_granted integer;
  v_noted integer;
  -- Items for which the plan has too little.
  v_short integer[];
begin
  select array_agg(c.key_id), array_agg(c.account_id), array_agg(c.quota_subject), array_agg(c.daily_limit),
    array_agg(concat('["', c.key_id, '","', c.account_id, '","', c.quota_subject, '",',
      c.plans_held, ',', c.daily_limit, ',')),
    array_agg(c.refusal),
    array_agg(c.quota_subject) filter (where c.refusal is null and c.has_counter is null)
  into v_keys, v_accounts, v_subjects, v_limits, v_heads, v_results, v_missing
  from (
    select i.item, k.*, daily_limit(p_limits, k.plans_held) as daily_limit,
      case
        when k.key_id is null then '"unknown"'
        when k.plans_held & i.plans = 0 then '"forbidden"'
        when i.version <> (select f.version from feed_versions f where f.feed = i.endpoint) then '"stale"'
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
    insert into usage_days (quota_subject, day)
    select distinct subject, p_day from unnest(v_missing) as subject order by subject
    on conflict do nothing;
  end if;

  -- Items for one counter take turns; most often there is one turn.
  while array_position(v_results, null) is not null loop
    select array_agg(i.subject), jsonb_object_agg(i.subject, i.item) into v_counters, v_items
    from (
      select i.subject, i.item
      from unnest(v_subjects) with ordinality as i (subject, item)
      where v_results[i.item] is null
      -- The last one that has a name keeps it.
      order by i.item desc
    ) i;

    v_granted := 0;
    for v_counter in
      update usage_days d
      set plan_used = d.plan_used + least(
          p_wants[(v_items -> d.quota_subject)::integer],
          v_limits[(v_items -> d.quota_subject)::integer] - d.plan_used
        ),
        last_grant = least(
          p_wants[(v_items -> d.quota_subject)::integer],
          v_limits[(v_items -> d.quota_subject)::integer] - d.plan_used
        )
      where d.quota_subject = any (v_counters) and d.day = p_day
        and d.plan_used < v_limits[(v_items -> d.quota_subject)::integer]
      returning (v_items -> d.quota_subject)::integer as item, d.plan_used, d.last_grant as units
    loop
      v_item := v_counter.item;
      v_granted := v_granted + 1;
      v_grants[v_item] := v_counter.units;
      v_results[v_item] := concat(v_heads[v_item], v_counter.plan_used, ',', v_counter.units, ',[');
      if v_counter.units = p_wants[v_item] then
        v_results[v_item] := v_results[v_item] || ']]';
      else
        v_short := v_short || v_item;
      end if;
    end loop;
    if array_position(v_results, null) is not null then
      -- Counters at their limit, which are not locked: nobody in this batch gets of them. The next turn might find one
      -- that a release has lowered, and would lock it out of order.
      for v_item in
        select i.item
        from unnest(v_subjects) with ordinality as i (subject, item)
        where v_results[i.item] is null and v_grants[(v_items -> i.subject)::integer] is null
      loop
        v_grants[v_item] := 0;
        v_results[v_item] := concat(v_heads[v_item], v_limits[v_item], ',0,[');
        v_short := v_short || v_item;
      end loop;
    end if;

    update usage_ledger l
    set units = l.units + v_grants[(v_items -> l.quota_subject)::integer], last_used_at = p_now
    where l.quota_subject = any (v_counters) and l.day = p_day and l.pack_id = ''
      and l.key_id = v_keys[(v_items -> l.quota_subject)::integer]
      and l.endpoint = p_endpoints[(v_items -> l.quota_subject)::integer]
      and v_grants[(v_items -> l.quota_subject)::integer] > 0;
    get diagnostics v_noted = row_count;
    if v_noted < v_granted then
      -- The first of the day. Whoever holds the counter is alone with these rows.
      insert into usage_ledger (quota_subject, day, key_id, endpoint, units, last_used_at)
      select i.key, p_day, v_keys[i.value::integer], p_endpoints[i.value::integer], v_grants[i.value::integer], p_now
      from jsonb_each(v_items) as i
      where v_grants[i.value::integer] > 0
      on conflict do nothing;
    end if;
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
        insert into usage_ledger as l (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
        values (v_subjects[v_item], p_day, v_keys[v_item], p_endpoints[v_item], v_pack.id, v_units, p_now)
        on conflict (quota_subject, day, key_id, endpoint, pack_id) do update
          set units = l.units + excluded.units, last_used_at = excluded.last_used_at;
        v_packs := v_packs || ',["' || v_pack.id || '",' || v_units || ']';
        v_wanted := v_wanted - v_units;
        exit when v_wanted = 0;
      end loop;
      v_results[v_item] := v_results[v_item] || substr(v_packs, 2) || ']]';
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
-- p_plans: the plans that include the endpoint, as bits.
-- p_versions: the state of the feed that the answer was made from; null: no matter. Where it has moved nothing is taken.
--
-- Returns JSON: {"day", "secondsToReset", "items"}, an item being "unknown", "forbidden", "stale" or
-- [key id, account id, quota subject, plans held, limit, plan units used, units granted by the plan, [[pack id, units], …]].
--
-- Counters are locked in one order, then accounts in one order, so that batches never wait in a circle: an index scan
-- for `= any` goes in the order of the index. Counters that the day does not have yet are made before any is locked, in
-- the same order. Whoever waits for a counter decides by what its holder left, so two requests never both take the last
-- unit, nor one a pack's while the plan has one left. The account is locked before packs are looked at: each statement
-- after it sees what the previous holder committed, so packs are used strictly in order and none is passed over.
create function reserve_units(
  p_lane uuid, p_batch bigint, p_limits integer[],
  p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[]
) returns text
  language plpgsql volatile
  -- One plan for any number of items: it would be made anew for each batch.
  set plan_cache_mode = force_generic_plan
  as $$
declare
  v_now timestamptz := ratecard_now();
  v_day date := (v_now at time zone 'utc')::date;
  v_key text;
  v_account text;
  v_subject text;
  v_held integer;
  v_limit integer;
  v_used integer;
  v_results text;
  v_outcome text;
begin
  -- One item that the plan pays, as nearly always when nobody else waits: fewer statements, that begin sooner.
  if cardinality(p_hashes) = 1 then
    select c.key_id, c.account_id, c.quota_subject, c.plans_held, daily_limit(p_limits, c.plans_held)
    into v_key, v_account, v_subject, v_held, v_limit
    from find_caller(p_hashes[1], v_now) c
    where c.plans_held & p_plans[1] <> 0 and (
      p_versions[1] is null
      or p_versions[1] = (select f.version from feed_versions f where f.feed = p_endpoints[1])
    );
    update usage_days d set plan_used = d.plan_used + p_wants[1]
    where d.quota_subject = v_subject and d.day = v_day and d.plan_used + p_wants[1] <= v_limit
    returning d.plan_used into v_used;
    if found then
      update usage_ledger l set units = l.units + p_wants[1], last_used_at = v_now
      where l.quota_subject = v_subject and l.day = v_day and l.key_id = v_key
        and l.endpoint = p_endpoints[1] and l.pack_id = '';
      if not found then
        insert into usage_ledger (quota_subject, day, key_id, endpoint, units, last_used_at)
        values (v_subject, v_day, v_key, p_endpoints[1], p_wants[1], v_now);
      end if;
      v_results := concat('["', v_key, '","', v_account, '","', v_subject, '",',
        v_held, ',', v_limit, ',', v_used, ',', p_wants[1], ',[]]');
    end if;
  end if;

  if v_results is null then
    v_results := reserve_together(v_now, v_day, p_limits, p_hashes, p_endpoints, p_plans, p_wants, p_versions);
  end if;
  v_outcome := concat('{"day":"', v_day, '","secondsToReset":',
    greatest(1, ceil(extract(epoch from (v_day + 1)::timestamp at time zone 'utc' - v_now))),
    ',"items":[', v_results, ']}');
  if p_lane is not null then
    perform end_batch(p_lane, p_batch, v_outcome);
  end if;
  return v_outcome;
end
$$;

-- Gives units back that were reserved for requests nobody could answer. Locks in the order of `reserve_units`.
create function release_units(
  p_lane uuid, p_batch bigint,
  p_subjects text[], p_days date[], p_keys text[], p_endpoints text[],
  -- The pack that paid; empty when the plan did.
  p_packs text[], p_units integer[]
) returns void
  language plpgsql volatile
  as $$
declare
  unit record;
begin
  for unit in
    select u.*, p.account_id
    from unnest(p_subjects, p_days, p_keys, p_endpoints, p_packs, p_units)
      as u (subject, day, key_id, endpoint, pack_id, units)
    left join packs p on p.id = u.pack_id
    -- The plan's units have no account and come first.
    order by p.account_id nulls first, u.subject, u.day
  loop
    if unit.pack_id = '' then
      update usage_days set plan_used = plan_used - unit.units
      where quota_subject = unit.subject and day = unit.day;
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
  if p_lane is not null then
    perform end_batch(p_lane, p_batch, 'released');
  end if;
end
$$;
