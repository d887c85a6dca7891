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
  insert into meter_lanes as l (id, batch, outcome, updated_at)
  values (p_lane, p_batch, p_outcome, clock_timestamp())
  on conflict (id) do update
    set batch = excluded.batch, outcome = excluded.outcome, updated_at = excluded.updated_at
    where l.batch < excluded.batch;
  if not found then
    raise exception 'batch % of lane % was given up', p_batch, p_lane;
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

-- Takes units for requests that wait together: for each item up to `want` units, from the day's plan quota of its key,
-- else from the account's packs, oldest first, else not at all. Keys and plans are looked up here, so what was revoked
-- or changed before counts. Commits with the caller's transaction.
--
-- p_limits: requests a day on the free, developer, scale, team and enterprise plan.
-- p_plans: the plans that include the endpoint, as bits: 1 free, 2 developer, 4 scale, 8 team, 16 enterprise.
-- p_versions: the state of the feed that the answer was made from; null: no matter. Where it has moved nothing is taken.
--
-- Returns JSON: {"day", "secondsToReset", "items"}, an item being "unknown", "forbidden", "stale" or
-- [key id, account id, quota subject, plans held, limit, plan units used, units granted by the plan, [[pack id, units], …]].
--
-- Counters are locked in one order, then accounts in one order, so that batches never wait in a circle. `on conflict …
-- where` locks the counter even when the limit is reached, so two requests can never both take the last unit, nor a
-- pack's unit while the plan has one left. The account is locked before packs are looked at: each statement after it
-- sees what the previous holder committed, so packs are used strictly in order and none is passed over.
create function reserve_units(
  p_lane uuid, p_batch bigint, p_limits integer[],
  p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[]
) returns text
  language plpgsql volatile
  as $$
declare
  v_now timestamptz := ratecard_now();
  v_day date := (v_now at time zone 'utc')::date;
  v_order integer[] := array[1];
  v_item integer;
  v_key text;
  v_account text;
  v_subject text;
  v_held integer;
  v_limit integer;
  v_used integer;
  v_grant integer;
  v_pack record;
  v_units integer;
  v_packs text;
  -- By item:
  v_results text[];
  v_keys text[];
  v_accounts text[];
  v_subjects text[];
  v_missing integer[];
  v_outcome text;
begin
  if cardinality(p_hashes) > 1 then
    select array_agg(i.item order by k.quota_subject, i.item) into v_order
    from unnest(p_hashes) with ordinality as i (hash, item) left join api_keys k on k.hash = i.hash;
  end if;

  foreach v_item in array v_order loop
    select k.id, k.account_id, k.quota_subject,
      1 | coalesce((
        select bit_or(case s.plan when 'developer' then 2 when 'scale' then 4 when 'team' then 8 else 16 end)
        from subscriptions s
        where s.account_id = k.account_id and s.status = 'active'
          and s.starts_at <= v_now and (s.ends_at is null or s.ends_at > v_now)
      ), 0)
    into v_key, v_account, v_subject, v_held
    from api_keys k
    where k.hash = p_hashes[v_item] and (k.revoked_at is null or k.revoked_at > v_now);

    if v_key is null then
      v_results[v_item] := '"unknown"';
    elsif v_held & p_plans[v_item] = 0 then
      v_results[v_item] := '"forbidden"';
    elsif p_versions[v_item] is not null
      and p_versions[v_item] <> (select version from feed_versions where feed = p_endpoints[v_item]) then
      v_results[v_item] := '"stale"';
    else
      v_limit := greatest(
        p_limits[1],
        case when v_held & 2 <> 0 then p_limits[2] end,
        case when v_held & 4 <> 0 then p_limits[3] end,
        case when v_held & 8 <> 0 then p_limits[4] end,
        case when v_held & 16 <> 0 then p_limits[5] end
      );
      insert into usage_days as d (quota_subject, day, plan_used, last_grant)
      values (v_subject, v_day, least(p_wants[v_item], v_limit), least(p_wants[v_item], v_limit))
      on conflict (quota_subject, day) do update
        set plan_used = d.plan_used + least(p_wants[v_item], v_limit - d.plan_used),
          last_grant = least(p_wants[v_item], v_limit - d.plan_used)
        where d.plan_used < v_limit
      returning d.plan_used, d.last_grant into v_used, v_grant;
      if not found then
        v_used := v_limit;
        v_grant := 0;
      end if;

      if v_grant > 0 then
        insert into usage_ledger as l (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
        values (v_subject, v_day, v_key, p_endpoints[v_item], '', v_grant, v_now)
        on conflict (quota_subject, day, key_id, endpoint, pack_id) do update
          set units = l.units + excluded.units, last_used_at = excluded.last_used_at;
      end if;
      v_results[v_item] := '["' || v_key || '","' || v_account || '","' || v_subject || '",' || v_held || ','
        || v_limit || ',' || v_used || ',' || v_grant || ',[';
      if v_grant = p_wants[v_item] then
        v_results[v_item] := v_results[v_item] || ']]';
      else
        v_keys[v_item] := v_key;
        v_accounts[v_item] := v_account;
        v_subjects[v_item] := v_subject;
        v_missing[v_item] := p_wants[v_item] - v_grant;
      end if;
    end if;
  end loop;

  if v_accounts is not null then
    for v_item in
      select item from unnest(v_accounts) with ordinality as a (account, item)
      where account is not null order by account, item
    loop
      -- Arrays that were filled from the middle do not begin at 1.
      v_item := v_item + array_lower(v_accounts, 1) - 1;
      perform 1 from accounts a where a.id = v_accounts[v_item] for no key update;
      v_packs := '';
      for v_pack in
        select p.id, p.remaining from packs p
        where p.account_id = v_accounts[v_item] and p.remaining > 0 and p.expires_at > v_now
        order by p.purchased_at, p.id
      loop
        v_units := least(v_pack.remaining, v_missing[v_item]);
        update packs p set remaining = p.remaining - v_units where p.id = v_pack.id;
        insert into usage_ledger as l (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
        values (v_subjects[v_item], v_day, v_keys[v_item], p_endpoints[v_item], v_pack.id, v_units, v_now)
        on conflict (quota_subject, day, key_id, endpoint, pack_id) do update
          set units = l.units + excluded.units, last_used_at = excluded.last_used_at;
        v_packs := v_packs || ',["' || v_pack.id || '",' || v_units || ']';
        v_missing[v_item] := v_missing[v_item] - v_units;
        exit when v_missing[v_item] = 0;
      end loop;
      v_results[v_item] := v_results[v_item] || substr(v_packs, 2) || ']]';
    end loop;
  end if;

  v_outcome := '{"day":"' || v_day || '","secondsToReset":'
    || greatest(1, ceil(extract(epoch from (v_day + 1)::timestamp at time zone 'utc' - v_now)))
    || ',"items":[' || array_to_string(v_results, ',') || ']}';
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
