-- Made from src/database/migrations by `pnpm generate`. Do not edit.

CREATE OR REPLACE FUNCTION public.add_entry(p_subject text, p_day date, p_key text, p_endpoint text, p_pack text, p_units integer, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO usage_ledger AS l (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
   VALUES (add_entry.p_subject, add_entry.p_day, add_entry.p_key, add_entry.p_endpoint, add_entry.p_pack, add_entry.p_units, add_entry.p_now) ON CONFLICT(quota_subject, day, key_id, endpoint, pack_id) DO UPDATE SET units = (l.units + excluded.units), last_used_at = excluded.last_used_at;
END;

CREATE OR REPLACE FUNCTION public.daily_limit(p_limits integer[], p_plans_held integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN GREATEST((p_limits)[1], CASE WHEN ((p_plans_held & 2) <> 0) THEN (p_limits)[2] ELSE NULL::integer END, CASE WHEN ((p_plans_held & 4) <> 0) THEN (p_limits)[3] ELSE NULL::integer END, CASE WHEN ((p_plans_held & 8) <> 0) THEN (p_limits)[4] ELSE NULL::integer END, CASE WHEN ((p_plans_held & 16) <> 0) THEN (p_limits)[5] ELSE NULL::integer END);

CREATE OR REPLACE FUNCTION public.end_batch(p_batcher uuid, p_batch bigint, p_outcome text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.fill_gaps(p_subject text, p_day date, p_key text, p_endpoint text, p_limit integer, p_want integer, p_now timestamp with time zone, OUT p_units integer, OUT p_new integer, OUT p_used integer, OUT p_filled text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.find_caller(p_hash bytea, p_at timestamp with time zone)
 RETURNS TABLE(key_id text, account_id text, quota_subject text, scope text, plans_held integer)
 LANGUAGE sql
 STABLE
AS $function$
  select k.id, k.account_id, k.quota_subject, k.scope, held.plans
  from api_keys k
  cross join lateral (
    select 1 | coalesce(bit_or(plan_bit(s.plan)), 0) as plans
    from subscriptions s
    where s.account_id = k.account_id and is_current(s, p_at)
  ) held
  where k.hash = p_hash and (k.ends_at is null or k.ends_at > p_at)
$function$;

CREATE OR REPLACE FUNCTION public.find_requester(p_key_id text, p_key_hash text)
 RETURNS TABLE(account_id text, id text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT k.account_id,
     k.id
    FROM (( SELECT f.account_id,
             f.id
            FROM api_keys f
           WHERE (f.id = find_requester.p_key_id)
         UNION ALL
          SELECT f.account_id,
             f.id
            FROM api_keys f
           WHERE (f.hash = decode(find_requester.p_key_hash, 'hex'::text))) k
      JOIN accounts a ON (((a.id = k.account_id) AND (a.deleted_at IS NULL))));
END;

CREATE OR REPLACE FUNCTION public.gap_units(p_gaps int4multirange)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN (SELECT (sum((upper(gap.gap) - lower(gap.gap))))::integer AS sum FROM unnest(gap_units.p_gaps) gap(gap));

CREATE OR REPLACE FUNCTION public.is_current(p_subscription subscriptions, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (((p_subscription).status = 'active'::text) AND ((p_subscription).starts_at <= p_at) AND (((p_subscription).ends_at IS NULL) OR ((p_subscription).ends_at > p_at)));

CREATE OR REPLACE FUNCTION public.move_list_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update list_versions
  set version = greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where list = tg_argv[0];
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.next_units(p_want integer, p_limit integer, p_used integer, p_gaps int4multirange)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_gaps IS NULL) THEN LEAST(p_want, (p_limit - p_used)) ELSE 0 END;

CREATE OR REPLACE FUNCTION public.plan_bit(p_plan text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_plan WHEN 'developer'::text THEN 2 WHEN 'scale'::text THEN 4 WHEN 'team'::text THEN 8 WHEN 'enterprise'::text THEN 16 ELSE NULL::integer END;

CREATE OR REPLACE FUNCTION public.ratecard_is_web_address(address text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((length(address) <= 2048) AND (address ~ '^https?://[A-Za-z0-9._~!$&''()*+,;=:\[\]-]+(/([A-Za-z0-9._~!$&''()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(#([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$'::text));

CREATE OR REPLACE FUNCTION public.ratecard_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$select clock_timestamp()$function$;

CREATE OR REPLACE FUNCTION public.record_requests(p_counts jsonb, p_lines jsonb)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO request_counts AS c (account_id, hour, key_id, operation, status, error, requests)  SELECT k.account_id,
             date_trunc('hour'::text, (clock.now - (n.age_ms * '00:00:00.001'::interval)), 'UTC'::text) AS hour,
             k.id,
             n.operation,
             n.status,
             n.error,
             sum(n.requests) AS sum
            FROM ((( SELECT ratecard_now() AS now) clock
              CROSS JOIN jsonb_to_recordset(record_requests.p_counts) n(key_id text, key_hash text, operation text, status smallint, error text, requests bigint, age_ms double precision))
              CROSS JOIN LATERAL find_requester(n.key_id, n.key_hash) k(account_id, id))
           GROUP BY k.account_id, (date_trunc('hour'::text, (clock.now - (n.age_ms * '00:00:00.001'::interval)), 'UTC'::text)), k.id, n.operation, n.status, n.error
           ORDER BY k.account_id, (date_trunc('hour'::text, (clock.now - (n.age_ms * '00:00:00.001'::interval)), 'UTC'::text)), k.id, n.operation, n.status, n.error ON CONFLICT(account_id, hour, key_id, operation, status, error) DO UPDATE SET requests = (c.requests + excluded.requests);
 INSERT INTO request_lines (account_id, at, id, key_id, operation, target, status, error, duration_ms)  SELECT k.account_id,
             (clock.now - (n.age_ms * '00:00:00.001'::interval)),
             n.id,
             k.id,
             n.operation,
             n.target,
             n.status,
             n.error,
             n.duration_ms
            FROM ((( SELECT ratecard_now() AS now) clock
              CROSS JOIN jsonb_to_recordset(record_requests.p_lines) n(id text, key_id text, key_hash text, operation text, target text, status smallint, error text, duration_ms real, age_ms double precision))
              CROSS JOIN LATERAL find_requester(n.key_id, n.key_hash) k(account_id, id)) ON CONFLICT DO NOTHING;
END;

CREATE OR REPLACE FUNCTION public.recover_batch(p_batcher uuid, p_batch bigint)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.release_units(p_batcher uuid, p_batch bigint, p_subjects text[], p_days date[], p_keys text[], p_endpoints text[], p_packs text[], p_units integer[], p_lasts integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.reserve_together(p_now timestamp with time zone, p_day date, p_limits integer[], p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[])
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.reserve_units(p_batcher uuid, p_batch bigint, p_limits integer[], p_hashes bytea[], p_endpoints text[], p_plans integer[], p_wants integer[], p_versions bigint[])
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.result_head(p_key text, p_account text, p_subject text, p_limit integer, p_used integer, p_units integer)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN concat('["', p_key, '","', p_account, '","', p_subject, '",', p_limit, ',', p_used, ',', p_units, ',[');

CREATE OR REPLACE FUNCTION public.served_price(resource_id text, product_id text, vendor text, platform text, modality text, region text, unit text, input_per_mtok numeric, output_per_mtok numeric, cached_input_per_mtok numeric, image_per_unit numeric, audio_per_min numeric, video_per_sec numeric, currency text, source_url text, effective_at text, updated_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (row_to_json(price.*))::text AS row_to_json FROM (VALUES (to_char((served_price.updated_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text))) utc(updated_at), LATERAL (SELECT served_price.resource_id AS resource_id, served_price.product_id AS product_id, served_price.vendor AS vendor, served_price.platform AS platform, served_price.modality AS modality, served_price.region AS region, served_price.unit AS unit, trim_scale(served_price.input_per_mtok) AS input_per_mtok, trim_scale(served_price.output_per_mtok) AS output_per_mtok, trim_scale(served_price.cached_input_per_mtok) AS cached_input_per_mtok, trim_scale(served_price.image_per_unit) AS image_per_unit, trim_scale(served_price.audio_per_min) AS audio_per_min, trim_scale(served_price.video_per_sec) AS video_per_sec, served_price.currency AS currency, served_price.source_url AS source_url, COALESCE(served_price.effective_at, utc.updated_at) AS effective_at, utc.updated_at) price);

CREATE OR REPLACE FUNCTION public.with_gap(p_used integer, p_gaps int4multirange, p_first integer, p_last integer)
 RETURNS int4multirange
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
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
$function$;

create table account_moves (
  account_id text not null,
  direction text not null,
  move_id text not null,
  state text not null,
  cell text not null,
  told text[] default '{}'::text[] not null,
  new_users text[] default '{}'::text[] not null,
  begun_at timestamp with time zone default ratecard_now() not null,
  constraint account_moves_pkey PRIMARY KEY (account_id, direction),
  constraint account_moves_direction_check CHECK ((direction = ANY (ARRAY['out'::text, 'in'::text]))),
  constraint account_moves_state_check CHECK ((state = ANY (ARRAY['quiet'::text, 'leaving'::text, 'undoing'::text, 'left'::text, 'expected'::text, 'arriving'::text])))
);

create table accounts (
  id text not null,
  name text not null,
  created_at timestamp with time zone default ratecard_now() not null,
  made_by text,
  deleted_at timestamp with time zone,
  first_steps_ended_at timestamp with time zone,
  is_stopped boolean default false not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_made_by_fkey FOREIGN KEY (made_by) REFERENCES auth_users(id) ON DELETE SET NULL
);

CREATE INDEX accounts_made_by ON public.accounts USING btree (made_by) WHERE (made_by IS NOT NULL);

create table alert_fanouts (
  announcement_id text not null,
  at timestamp with time zone default ratecard_now() not null,
  constraint alert_fanouts_pkey PRIMARY KEY (announcement_id)
);

CREATE INDEX alert_fanouts_at ON public.alert_fanouts USING btree (at);

create table alerts (
  id text not null,
  event text not null,
  change_ids text[] not null,
  public_url text not null,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_change_ids_check CHECK (((cardinality(change_ids) >= 1) AND (cardinality(change_ids) <= 100)))
);

CREATE INDEX alerts_created ON public.alerts USING btree (created_at);

create table announcements (
  id text not null,
  event text not null,
  change_ids text[] not null,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_change_ids_check CHECK ((cardinality(change_ids) > 0))
);

CREATE INDEX announcements_created ON public.announcements USING btree (created_at);

create table api_keys (
  id text not null,
  account_id text not null,
  name text not null,
  hash bytea not null,
  prefix text not null,
  last_four text not null,
  quota_subject text not null,
  created_at timestamp with time zone default ratecard_now() not null,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  ends_at timestamp with time zone generated always as (LEAST(revoked_at, expires_at)) stored,
  scope text default 'all'::text not null,
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'prices'::text])))
);

CREATE INDEX api_keys_account ON public.api_keys USING btree (account_id, created_at, id);
CREATE INDEX api_keys_ended ON public.api_keys USING btree (account_id, ends_at, id);
CREATE INDEX api_keys_ends ON public.api_keys USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX api_keys_expiring ON public.api_keys USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX api_keys_quota_subject ON public.api_keys USING btree (account_id, quota_subject);

create table attempts (
  key bytea not null,
  count integer not null,
  ends_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (key)
) with (fillfactor=50);

CREATE INDEX attempts_ends ON public.attempts USING btree (ends_at);

create table audit_entries (
  id text collate "C" not null,
  account_id text not null,
  at timestamp with time zone default ratecard_now() not null,
  actor text not null,
  user_id text,
  actor_name text,
  action text not null,
  subject_id text,
  details jsonb default '{}'::jsonb not null,
  constraint audit_entries_pkey PRIMARY KEY (id),
  constraint audit_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audit_entries_actor_check CHECK ((actor = ANY (ARRAY['user'::text, 'key'::text, 'operator'::text, 'provider'::text, 'system'::text])))
);

comment on table audit_entries is 'What was done to an account, for its members to read. Never changed. What users and keys did is forgotten after 400 days, or when 100,000 (of a key: 10,000) later things were done; what an operator, a payment or the service did is not.';

CREATE INDEX audit_entries_account ON public.audit_entries USING btree (account_id, at DESC, id DESC);
CREATE INDEX audit_entries_own ON public.audit_entries USING btree (at) WHERE (actor = ANY (ARRAY['user'::text, 'key'::text]));

create table auth_credentials (
  id text not null,
  user_id text not null,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  password text,
  created_at timestamp with time zone default ratecard_now() not null,
  updated_at timestamp with time zone default ratecard_now() not null,
  constraint auth_credentials_pkey PRIMARY KEY (id),
  constraint auth_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE
);

CREATE INDEX auth_credentials_user ON public.auth_credentials USING btree (user_id);

create table auth_sessions (
  id text not null,
  user_id text not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  account_id text,
  created_at timestamp with time zone default ratecard_now() not null,
  updated_at timestamp with time zone default ratecard_now() not null,
  constraint auth_sessions_token_key UNIQUE (token),
  constraint auth_sessions_pkey PRIMARY KEY (id),
  constraint auth_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint auth_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE
);

CREATE INDEX auth_sessions_expires ON public.auth_sessions USING btree (expires_at);
CREATE INDEX auth_sessions_user ON public.auth_sessions USING btree (user_id);

create table auth_two_factors (
  id text not null,
  user_id text not null,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamp with time zone,
  last_step bigint,
  constraint auth_two_factors_pkey PRIMARY KEY (id),
  constraint auth_two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX auth_two_factors_user ON public.auth_two_factors USING btree (user_id);

create table auth_users (
  id text not null,
  name text not null,
  email text not null,
  email_verified boolean default false not null,
  image text,
  created_at timestamp with time zone default ratecard_now() not null,
  updated_at timestamp with time zone default ratecard_now() not null,
  two_factor_enabled boolean default false,
  constraint auth_users_email_key UNIQUE (email),
  constraint auth_users_pkey PRIMARY KEY (id)
);

create table auth_verifications (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default ratecard_now() not null,
  updated_at timestamp with time zone default ratecard_now() not null,
  constraint auth_verifications_pkey PRIMARY KEY (id)
);

CREATE INDEX auth_verifications_expires ON public.auth_verifications USING btree (expires_at);
CREATE INDEX auth_verifications_identifier ON public.auth_verifications USING btree (identifier);

create table billing_customers (
  account_id text not null,
  customer_id text not null,
  asked_at timestamp with time zone,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint billing_customers_customer_id_key UNIQUE (customer_id),
  constraint billing_customers_pkey PRIMARY KEY (account_id),
  constraint billing_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table change_alternatives (
  id text not null,
  change_id text collate "C" not null,
  product_id text not null,
  product_name text not null,
  vendor text not null,
  migration_effort text not null,
  cost_diff_pct double precision,
  quality_comparison text,
  notes text,
  rank integer not null,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint change_alternatives_pkey PRIMARY KEY (id),
  constraint change_alternatives_change_id_fkey FOREIGN KEY (change_id) REFERENCES changes(id) ON DELETE CASCADE,
  constraint change_alternatives_migration_effort_check CHECK ((migration_effort = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  constraint change_alternatives_rank_check CHECK ((rank >= 1))
);

CREATE INDEX change_alternatives_change ON public.change_alternatives USING btree (change_id, rank, id);

CREATE TRIGGER change_alternatives_version AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.change_alternatives FOR EACH STATEMENT EXECUTE FUNCTION move_list_version('changes');

create table change_evidence (
  change_id text collate "C" not null,
  resource_id text not null,
  field text,
  source text not null,
  version text,
  source_key text not null,
  amount numeric(18,9),
  amount_before numeric(18,9),
  since timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  source_url text,
  id uuid default gen_random_uuid() not null,
  quote text,
  constraint change_evidence_pkey PRIMARY KEY (id),
  constraint change_evidence_change_id_fkey FOREIGN KEY (change_id) REFERENCES changes(id) ON DELETE CASCADE
);

CREATE INDEX change_evidence_change ON public.change_evidence USING btree (change_id);

create table changes (
  id text collate "C" not null,
  vendor text not null,
  product text not null,
  modality text not null,
  category text not null,
  severity smallint not null,
  title text not null,
  summary text not null,
  diff_before text,
  diff_after text,
  diff_keys text,
  impact_score smallint not null,
  impact_cost smallint,
  impact_reliability smallint,
  impact_migration smallint,
  impact_quality smallint,
  impact_compliance smallint,
  impact_notes text,
  migration_deadline text,
  effective_time text,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  verified boolean,
  verified_at timestamp with time zone,
  status text,
  source_url text,
  created_at timestamp with time zone default ratecard_now() not null,
  updated_at timestamp with time zone not null,
  run_id text,
  constraint changes_updated_at_key UNIQUE (updated_at),
  constraint changes_pkey PRIMARY KEY (id),
  constraint changes_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_runs(id) DEFERRABLE INITIALLY DEFERRED,
  constraint changes_impact_score_check CHECK (((impact_score >= 0) AND (impact_score <= 100))),
  constraint changes_severity_check CHECK (((severity >= 1) AND (severity <= 5))),
  constraint changes_shown CHECK (((id <> ''::text) AND (vendor <> ''::text) AND (product <> ''::text) AND (modality <> ''::text) AND (category <> ''::text) AND (char_length(title) <= 200) AND (char_length(summary) <= 4000) AND ((source_url IS NULL) OR ratecard_is_web_address(source_url)) AND (updated_at < '9999-12-31 00:00:00+00'::timestamp with time zone)))
);

CREATE INDEX changes_category ON public.changes USING btree (category, updated_at DESC, id DESC);
CREATE INDEX changes_category_severity ON public.changes USING btree (category, severity, updated_at DESC, id DESC);
CREATE INDEX changes_list ON public.changes USING btree (updated_at DESC, id DESC) WHERE (category <> 'incident'::text);
CREATE INDEX changes_product ON public.changes USING btree (product, updated_at DESC, id DESC, severity, category, vendor) WHERE (category <> 'incident'::text);
CREATE INDEX changes_product_incidents ON public.changes USING btree (product, updated_at DESC, id DESC, severity, vendor) WHERE (category = 'incident'::text);
CREATE INDEX changes_run ON public.changes USING btree (run_id);
CREATE INDEX changes_severity ON public.changes USING btree (severity, updated_at DESC, id DESC) WHERE (category <> 'incident'::text);
CREATE INDEX changes_vendor ON public.changes USING btree (vendor, updated_at DESC, id DESC) WHERE (category <> 'incident'::text);
CREATE INDEX changes_vendor_category ON public.changes USING btree (vendor, category, updated_at DESC, id DESC);
CREATE INDEX changes_vendor_category_severity ON public.changes USING btree (vendor, category, severity, updated_at DESC, id DESC);
CREATE INDEX changes_vendor_severity ON public.changes USING btree (vendor, severity, updated_at DESC, id DESC) WHERE (category <> 'incident'::text);

CREATE STATISTICS public.changes_filters (dependencies, mcv) ON vendor, product, category, severity FROM changes;
alter statistics changes_filters set statistics 300;

CREATE TRIGGER changes_version AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.changes FOR EACH STATEMENT EXECUTE FUNCTION move_list_version('changes');

create table claim_versions (
  source text not null,
  resource_key text collate "C" not null,
  observed_at timestamp with time zone not null,
  run_id text not null,
  stated jsonb,
  constraint claim_versions_pkey PRIMARY KEY (source, resource_key, observed_at),
  constraint claim_versions_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_runs(id) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX claim_versions_run ON public.claim_versions USING btree (run_id);

create table deliveries (
  id text not null,
  alert_id text not null,
  webhook_id text not null,
  account_id text not null,
  resent_from text,
  state text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone default ratecard_now() not null,
  finished_at timestamp with time zone,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint deliveries_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alerts(id),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text, 'not_entitled'::text, 'inactive'::text, 'cancelled'::text])))
) with (fillfactor=60, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

CREATE INDEX deliveries_account ON public.deliveries USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX deliveries_alert ON public.deliveries USING btree (alert_id, webhook_id);
CREATE INDEX deliveries_recent ON public.deliveries USING btree (created_at DESC, id DESC);
CREATE INDEX deliveries_webhook ON public.deliveries USING btree (webhook_id, created_at DESC, id DESC);

create table delivery_attempts (
  delivery_id text not null,
  attempt integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  error_class text,
  error text,
  constraint delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt),
  constraint delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.02);

create table delivery_exchanges (
  delivery_id text not null,
  attempt integer not null,
  account_id text not null,
  started_at timestamp with time zone not null,
  url text not null,
  request_headers jsonb not null,
  body_hash bytea not null,
  response_headers jsonb,
  response_body text,
  response_is_cut boolean default false not null,
  constraint delivery_exchanges_pkey PRIMARY KEY (delivery_id, attempt),
  constraint delivery_exchanges_delivery_id_attempt_fkey FOREIGN KEY (delivery_id, attempt) REFERENCES delivery_attempts(delivery_id, attempt) ON DELETE CASCADE,
  constraint delivery_exchanges_response_body_check CHECK ((char_length(response_body) <= 1024))
) with (autovacuum_vacuum_scale_factor=0.02);

CREATE INDEX delivery_exchanges_account ON public.delivery_exchanges USING btree (account_id, started_at DESC);
CREATE INDEX delivery_exchanges_started ON public.delivery_exchanges USING btree (started_at);

create table export_files (
  name text not null,
  made_of text not null,
  sha256 text not null,
  bytes integer not null,
  gzip bytea not null,
  brotli bytea not null,
  made_at timestamp with time zone default ratecard_now() not null,
  constraint export_files_pkey PRIMARY KEY (name)
);

create table feed_claims (
  source text not null,
  resource_key text collate "C" not null,
  stated jsonb not null,
  moves jsonb not null,
  card_move jsonb,
  first_seen timestamp with time zone not null,
  gone_since timestamp with time zone,
  gone_runs integer default 0 not null,
  removed_at timestamp with time zone,
  checked_at timestamp with time zone,
  last_seen timestamp with time zone,
  is_flood boolean default false not null,
  quotes jsonb,
  constraint feed_claims_pkey PRIMARY KEY (source, resource_key)
);

CREATE INDEX feed_claims_resource ON public.feed_claims USING btree (resource_key);

create table feed_holds (
  id text not null,
  source text not null,
  resource_id text collate "C" not null,
  run_id text not null,
  reason text not null,
  before jsonb not null,
  after jsonb not null,
  state text default 'open'::text not null,
  first_seen timestamp with time zone not null,
  decided_at timestamp with time zone,
  note text,
  decided_by text,
  told_at timestamp with time zone,
  constraint feed_holds_pkey PRIMARY KEY (id),
  constraint feed_holds_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_runs(id) DEFERRABLE INITIALLY DEFERRED,
  constraint feed_holds_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'rejected'::text, 'confirmed'::text, 'withdrawn'::text])))
);

CREATE UNIQUE INDEX feed_holds_open ON public.feed_holds USING btree (source, resource_id) WHERE (state = 'open'::text);
CREATE INDEX feed_holds_rejected ON public.feed_holds USING btree (source, resource_id) WHERE (state = 'rejected'::text);
CREATE INDEX feed_holds_run ON public.feed_holds USING btree (run_id);
CREATE INDEX feed_holds_waiting ON public.feed_holds USING btree (first_seen, source, resource_id) WHERE (state = 'open'::text);

create table feed_pulse (
  is_only boolean default true not null,
  at timestamp with time zone not null,
  migration text not null,
  constraint feed_pulse_pkey PRIMARY KEY (is_only),
  constraint feed_pulse_is_only_check CHECK (is_only)
);

create table feed_runs (
  id text not null,
  source text not null,
  observed_at timestamp with time zone not null,
  version text not null,
  outcome text not null,
  message text,
  data_at date,
  rows integer not null,
  rejected integer not null,
  added integer default 0 not null,
  changed integer default 0 not null,
  gone integer default 0 not null,
  held integer default 0 not null,
  published integer default 0 not null,
  told_at timestamp with time zone,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint feed_runs_pkey PRIMARY KEY (id)
);

CREATE INDEX feed_runs_idle ON public.feed_runs USING btree (created_at) WHERE (((((added + changed) + gone) + held) + published) = 0);
CREATE INDEX feed_runs_source ON public.feed_runs USING btree (source, observed_at DESC, id DESC);

create table feed_sources (
  source text not null,
  last_run text not null,
  last_observed_at timestamp with time zone,
  url text,
  etag text,
  last_modified text,
  rejections jsonb default '[]'::jsonb not null,
  unknown_fields jsonb default '[]'::jsonb not null,
  held_run text,
  held_gone text[] default '{}'::text[] not null,
  constraint feed_sources_pkey PRIMARY KEY (source),
  constraint feed_sources_held_run_fkey FOREIGN KEY (held_run) REFERENCES feed_runs(id),
  constraint feed_sources_last_run_fkey FOREIGN KEY (last_run) REFERENCES feed_runs(id)
);

create table followers (
  id text not null,
  email text not null,
  kind text not null,
  name text not null,
  token_hash bytea,
  created_at timestamp with time zone default ratecard_now() not null,
  confirmed_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint followers_email_kind_name_key UNIQUE (email, kind, name),
  constraint followers_token_hash_key UNIQUE (token_hash),
  constraint followers_pkey PRIMARY KEY (id),
  constraint followers_check CHECK (((kind = 'all'::text) = (name = ''::text))),
  constraint followers_check1 CHECK (((confirmed_at IS NULL) <> (expires_at IS NULL))),
  constraint followers_kind_check CHECK ((kind = ANY (ARRAY['all'::text, 'vendor'::text, 'product'::text])))
);

CREATE INDEX followers_expires ON public.followers USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX followers_name ON public.followers USING btree (kind, name) WHERE (confirmed_at IS NOT NULL);

create table invitations (
  id text not null,
  account_id text not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by text,
  created_at timestamp with time zone default ratecard_now() not null,
  expires_at timestamp with time zone not null,
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth_users(id) ON DELETE CASCADE,
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);

CREATE UNIQUE INDEX invitations_account_email ON public.invitations USING btree (account_id, email);
CREATE INDEX invitations_invited_by ON public.invitations USING btree (invited_by);

create table list_versions (
  list text not null,
  version bigint not null,
  constraint list_versions_pkey PRIMARY KEY (list),
  constraint list_versions_list_check CHECK ((list = ANY (ARRAY['prices'::text, 'changes'::text])))
);

create table lost_commits (
  noticed_at timestamp with time zone default ratecard_now() not null,
  what text not null,
  constraint lost_commits_pkey PRIMARY KEY (noticed_at, what)
);

create table mailed_links (
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  expires_at timestamp with time zone not null,
  constraint mailed_links_pkey PRIMARY KEY (token_hash),
  constraint mailed_links_purpose_check CHECK ((purpose = ANY (ARRAY['sign-up'::text, 'password-reset'::text])))
);

CREATE INDEX mailed_links_email ON public.mailed_links USING btree (email);
CREATE INDEX mailed_links_expires ON public.mailed_links USING btree (expires_at);

create table members (
  account_id text not null,
  user_id text not null,
  role text not null,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint members_pkey PRIMARY KEY (account_id, user_id),
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE,
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);

CREATE INDEX members_user ON public.members USING btree (user_id, created_at, account_id);

create table meter_batchers (
  id uuid not null,
  batch bigint default 0 not null,
  outcome text default ''::text not null,
  updated_at timestamp with time zone default ratecard_now() not null,
  constraint meter_batchers_pkey PRIMARY KEY (id)
) with (fillfactor=50);

create table moved_keys (
  hash bytea not null,
  account_id text not null,
  constraint moved_keys_pkey PRIMARY KEY (hash)
);

CREATE INDEX moved_keys_account ON public.moved_keys USING btree (account_id);

create table moved_users (
  user_id text not null,
  account_id text not null,
  constraint moved_users_pkey PRIMARY KEY (user_id, account_id),
  constraint moved_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE
);

CREATE INDEX moved_users_account ON public.moved_users USING btree (account_id);

create table notice_progress (
  name text not null,
  until timestamp with time zone not null,
  constraint notice_progress_pkey PRIMARY KEY (name),
  constraint notice_progress_name_check CHECK ((name = ANY (ARRAY['at_once'::text, 'digest'::text, 'followed'::text])))
);

create table notice_settings (
  user_id text not null,
  off text[] default '{}'::text[] not null,
  at_once_severity smallint,
  updated_at timestamp with time zone default ratecard_now() not null,
  constraint notice_settings_pkey PRIMARY KEY (user_id),
  constraint notice_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE,
  constraint notice_settings_at_once_severity_check CHECK (((at_once_severity >= 1) AND (at_once_severity <= 5))),
  constraint notice_settings_off_check CHECK ((off <@ ARRAY['quota'::text, 'packs'::text, 'webhooks'::text, 'keys'::text, 'watched'::text]))
);

create table notices (
  id text default ('ntc_'::text || translate((gen_random_uuid())::text, '-'::text, ''::text)) not null,
  user_id text not null,
  account_id text not null,
  event text not null,
  period text not null,
  facts jsonb not null,
  created_at timestamp with time zone default ratecard_now() not null,
  outcome text not null,
  due_at timestamp with time zone default ratecard_now() not null,
  settled_at timestamp with time zone,
  constraint notices_user_id_account_id_event_period_key UNIQUE (user_id, account_id, event, period),
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint notices_event_check CHECK ((event = ANY (ARRAY['quota_80'::text, 'quota_used_up'::text, 'packs_low'::text, 'packs_used_up'::text, 'packs_ending'::text, 'webhook_off'::text, 'webhook_failing'::text, 'key_expiring'::text, 'watched_change'::text, 'watched_digest'::text]))),
  constraint notices_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'mailed'::text, 'collected'::text, 'refused'::text, 'off'::text, 'not_mailed'::text])))
);

CREATE INDEX notices_created ON public.notices USING btree (created_at);
CREATE INDEX notices_user ON public.notices USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX notices_waiting ON public.notices USING btree (due_at) WHERE (outcome = 'waiting'::text);

create table packs (
  id text not null,
  account_id text not null,
  purchased_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  units integer not null,
  remaining integer not null,
  payment_ref text,
  created_at timestamp with time zone default ratecard_now() not null,
  voided_at timestamp with time zone,
  constraint packs_payment_ref_key UNIQUE (payment_ref),
  constraint packs_pkey PRIMARY KEY (id),
  constraint packs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint packs_check CHECK (((remaining >= 0) AND (remaining <= units))),
  constraint packs_check1 CHECK ((expires_at > purchased_at)),
  constraint packs_check2 CHECK (((voided_at IS NULL) OR (expires_at <= voided_at))),
  constraint packs_units_check CHECK ((units > 0))
);

CREATE INDEX packs_in_order ON public.packs USING btree (account_id, purchased_at, id) WHERE (remaining > 0);

create table passkeys (
  id text not null,
  user_id text not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  created_at timestamp with time zone default ratecard_now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth_users(id) ON DELETE CASCADE
);

CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id, created_at, id);

create table payment_events (
  id text not null,
  type text not null,
  account_id text,
  payment_ref text,
  takes_back boolean default false not null,
  received_at timestamp with time zone default ratecard_now() not null,
  constraint payment_events_pkey PRIMARY KEY (id),
  constraint payment_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE INDEX payment_events_taken_back ON public.payment_events USING btree (payment_ref) WHERE takes_back;

create table price_reports (
  id text not null,
  resource_id text not null,
  should_be text not null,
  source_url text not null,
  email text,
  times integer default 1 not null,
  first_at timestamp with time zone default ratecard_now() not null,
  last_at timestamp with time zone default ratecard_now() not null,
  closed_at timestamp with time zone,
  constraint price_reports_pkey PRIMARY KEY (id),
  constraint price_reports_email_check CHECK ((length(email) <= 254)),
  constraint price_reports_should_be_check CHECK ((length(should_be) <= 200)),
  constraint price_reports_source_url_check CHECK ((length(source_url) <= 500)),
  constraint price_reports_times_check CHECK ((times > 0))
);

CREATE INDEX price_reports_last ON public.price_reports USING btree (last_at);
CREATE UNIQUE INDEX price_reports_same ON public.price_reports USING btree (resource_id, lower(should_be), source_url);

create table price_standings (
  resource_key text collate "C" not null,
  resource_id text collate "C" not null,
  source text not null,
  gone_since timestamp with time zone,
  retires_on date,
  is_confirmed boolean,
  evidence jsonb not null,
  rule text,
  rate_evidence jsonb,
  constraint price_standings_pkey PRIMARY KEY (resource_key)
);

CREATE UNIQUE INDEX price_standings_resource ON public.price_standings USING btree (resource_id);

create table price_versions (
  resource_id text collate "C" not null,
  updated_at timestamp with time zone not null,
  observed_at timestamp with time zone not null,
  record jsonb not null,
  source text not null,
  run_id text,
  constraint price_versions_pkey PRIMARY KEY (resource_id, updated_at)
);

create table prices (
  resource_id text collate "C" not null,
  product_id text,
  vendor text not null,
  platform text,
  modality text,
  region text,
  unit text,
  input_per_mtok numeric(18,9),
  output_per_mtok numeric(18,9),
  cached_input_per_mtok numeric(18,9),
  image_per_unit numeric(18,9),
  audio_per_min numeric(18,9),
  video_per_sec numeric(18,9),
  currency text,
  source_url text,
  effective_at text,
  updated_at timestamp with time zone not null,
  source text not null,
  created_at timestamp with time zone default ratecard_now() not null,
  run_id text,
  served text generated always as (served_price(resource_id, product_id, vendor, platform, modality, region, unit, input_per_mtok, output_per_mtok, cached_input_per_mtok, image_per_unit, audio_per_min, video_per_sec, currency, source_url, effective_at, updated_at)) stored not null,
  constraint prices_updated_at_key UNIQUE (updated_at),
  constraint prices_pkey PRIMARY KEY (resource_id),
  constraint prices_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_runs(id) DEFERRABLE INITIALLY DEFERRED,
  constraint prices_amounts CHECK (((COALESCE(input_per_mtok, (0)::numeric) < 'NaN'::numeric) AND (COALESCE(output_per_mtok, (0)::numeric) < 'NaN'::numeric) AND (COALESCE(cached_input_per_mtok, (0)::numeric) < 'NaN'::numeric) AND (COALESCE(image_per_unit, (0)::numeric) < 'NaN'::numeric) AND (COALESCE(audio_per_min, (0)::numeric) < 'NaN'::numeric) AND (COALESCE(video_per_sec, (0)::numeric) < 'NaN'::numeric))),
  constraint prices_audio_per_min_check CHECK ((audio_per_min >= (0)::numeric)),
  constraint prices_cached_input_per_mtok_check CHECK ((cached_input_per_mtok >= (0)::numeric)),
  constraint prices_image_per_unit_check CHECK ((image_per_unit >= (0)::numeric)),
  constraint prices_input_per_mtok_check CHECK ((input_per_mtok >= (0)::numeric)),
  constraint prices_output_per_mtok_check CHECK ((output_per_mtok >= (0)::numeric)),
  constraint prices_resource_id_check CHECK ((char_length(resource_id) <= 512)),
  constraint prices_shown CHECK (((resource_id <> ''::text) AND (vendor <> ''::text) AND ((source_url IS NULL) OR ratecard_is_web_address(source_url)) AND ((effective_at IS NULL) OR (effective_at ~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{6}Z)?$'::text)) AND (updated_at < '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint prices_video_per_sec_check CHECK ((video_per_sec >= (0)::numeric))
);

CREATE INDEX prices_list ON public.prices USING btree (updated_at DESC, resource_id DESC);
CREATE INDEX prices_modality ON public.prices USING btree (modality, updated_at DESC, resource_id DESC);
CREATE INDEX prices_platform ON public.prices USING btree (platform, updated_at DESC, resource_id DESC);
CREATE INDEX prices_platform_modality ON public.prices USING btree (platform, modality, updated_at DESC, resource_id DESC);
CREATE INDEX prices_product ON public.prices USING btree (product_id, updated_at DESC, resource_id DESC, platform, modality, vendor);
CREATE INDEX prices_run ON public.prices USING btree (run_id);
CREATE INDEX prices_vendor ON public.prices USING btree (vendor, updated_at DESC, resource_id DESC);
CREATE INDEX prices_vendor_modality ON public.prices USING btree (vendor, modality, updated_at DESC, resource_id DESC);
CREATE INDEX prices_vendor_platform ON public.prices USING btree (vendor, platform, updated_at DESC, resource_id DESC);
CREATE INDEX prices_vendor_platform_modality ON public.prices USING btree (vendor, platform, modality, updated_at DESC, resource_id DESC);

CREATE STATISTICS public.prices_filters (dependencies, mcv) ON product_id, vendor, platform, modality FROM prices;
alter statistics prices_filters set statistics 300;

CREATE TRIGGER prices_version AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.prices FOR EACH STATEMENT EXECUTE FUNCTION move_list_version('prices');

create table rate_cards (
  resource_id text collate "C" not null,
  meter text not null,
  unit text not null,
  service_tier text,
  variant text,
  threshold bigint,
  hours text,
  amount numeric(18,9) not null,
  id uuid default gen_random_uuid() not null,
  constraint rate_cards_resource_id_meter_unit_service_tier_variant_thre_key UNIQUE NULLS NOT DISTINCT (resource_id, meter, unit, service_tier, variant, threshold, hours),
  constraint rate_cards_pkey PRIMARY KEY (id),
  constraint rate_cards_amount_check CHECK ((amount >= (0)::numeric))
);

create table request_counts (
  account_id text not null,
  hour timestamp with time zone not null,
  key_id text not null,
  operation text not null,
  status smallint not null,
  error text not null,
  requests bigint not null,
  constraint request_counts_pkey PRIMARY KEY (account_id, hour, key_id, operation, status, error),
  constraint request_counts_requests_check CHECK ((requests > 0))
) with (fillfactor=50);

CREATE INDEX request_counts_hour ON public.request_counts USING btree (hour);

create table request_lines (
  account_id text not null,
  at timestamp with time zone not null,
  id text collate "C" not null,
  key_id text not null,
  operation text not null,
  target text not null,
  status smallint not null,
  error text not null,
  duration_ms real not null,
  constraint request_lines_pkey PRIMARY KEY (account_id, at, id)
) with (autovacuum_vacuum_scale_factor=0.05);

CREATE INDEX request_lines_at ON public.request_lines USING btree (at);

create table review_mails (
  told_at timestamp with time zone default ratecard_now() not null,
  holds integer not null,
  sources text[] not null,
  constraint review_mails_pkey PRIMARY KEY (told_at)
);

create table scheduled_prices (
  source text not null,
  resource_id text collate "C" not null,
  starts_on date not null,
  amounts jsonb not null,
  learned_at timestamp with time zone not null,
  reminded_days integer,
  constraint scheduled_prices_pkey PRIMARY KEY (source, resource_id, starts_on)
);

create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table source_files (
  source text not null,
  sha256 text not null,
  content bytea not null,
  read_at timestamp with time zone not null,
  constraint source_files_pkey PRIMARY KEY (source)
);

create table subscriptions (
  account_id text not null,
  plan text not null,
  status text default 'active'::text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  updated_at timestamp with time zone default ratecard_now() not null,
  provider_ref text,
  renews_at timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (account_id, plan),
  constraint subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint subscriptions_check CHECK (((ends_at IS NULL) OR (ends_at >= starts_at))),
  constraint subscriptions_plan_check CHECK ((plan = ANY (ARRAY['developer'::text, 'scale'::text, 'team'::text, 'enterprise'::text]))),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'ended'::text])))
);

create table usage_days (
  quota_subject text not null,
  day date not null,
  plan_used integer default 0 not null,
  last_grant integer default 0 not null,
  key_id text,
  prices integer default 0 not null,
  changes integer default 0 not null,
  webhooks integer default 0 not null,
  gaps int4multirange,
  last_used_at timestamp with time zone,
  constraint usage_days_pkey PRIMARY KEY (quota_subject, day),
  constraint usage_days_check CHECK ((LEAST(prices, changes, webhooks) >= 0)),
  constraint usage_days_plan_used_check CHECK ((plan_used >= 0))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

CREATE INDEX usage_days_day ON public.usage_days USING btree (((day - '2000-01-01'::date)));

create table usage_ledger (
  quota_subject text not null,
  day date not null,
  key_id text not null,
  endpoint text not null,
  pack_id text default ''::text not null,
  units integer not null,
  last_used_at timestamp with time zone not null,
  constraint usage_ledger_pkey PRIMARY KEY (quota_subject, day, key_id, endpoint, pack_id),
  constraint usage_ledger_endpoint_check CHECK ((endpoint = ANY (ARRAY['prices'::text, 'changes'::text, 'webhooks'::text]))),
  constraint usage_ledger_units_check CHECK ((units > 0))
) with (fillfactor=50);

CREATE INDEX usage_ledger_pack ON public.usage_ledger USING btree (pack_id) WHERE (pack_id <> ''::text);

create table watches (
  account_id text not null,
  user_id text not null,
  kind text not null,
  name text collate "C" not null,
  created_at timestamp with time zone default ratecard_now() not null,
  constraint watches_pkey PRIMARY KEY (account_id, user_id, kind, name),
  constraint watches_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint watches_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'vendor'::text]))),
  constraint watches_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 512)))
);

CREATE INDEX watches_name ON public.watches USING btree (kind, name);

create table webhooks (
  id text not null,
  account_id text not null,
  name text,
  url text not null,
  events text[] not null,
  active boolean default true not null,
  secret_ciphertext bytea not null,
  secret_key_id text not null,
  next_secret_ciphertext bytea,
  next_secret_key_id text,
  next_secret_at timestamp with time zone,
  standard_headers boolean default false not null,
  vendors text[] default '{}'::text[] not null,
  products text[] default '{}'::text[] not null,
  min_severity smallint default 1 not null,
  last_status integer,
  last_error text,
  last_attempt_at timestamp with time zone,
  last_success_at timestamp with time zone,
  failing_since timestamp with time zone default ratecard_now() not null,
  exhausted_count integer default 0 not null,
  is_slow boolean default false not null,
  created_at timestamp with time zone default ratecard_now() not null,
  updated_at timestamp with time zone default ratecard_now() not null,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint webhooks_check CHECK ((num_nulls(next_secret_ciphertext, next_secret_key_id, next_secret_at) = ANY (ARRAY[0, 3]))),
  constraint webhooks_events_check CHECK ((cardinality(events) > 0)),
  constraint webhooks_min_severity_check CHECK (((min_severity >= 1) AND (min_severity <= 5))),
  constraint webhooks_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint webhooks_products_check CHECK ((cardinality(products) <= 50)),
  constraint webhooks_vendors_check CHECK ((cardinality(vendors) <= 20))
);

CREATE INDEX webhooks_account ON public.webhooks USING btree (account_id, created_at, id);

create view current_subscriptions as
 SELECT s.account_id,
    s.plan
   FROM ( SELECT ratecard_now() AS now) clock
     JOIN subscriptions s ON is_current(s.*, clock.now);

create view usage_entries as
 SELECT usage_ledger.quota_subject,
    usage_ledger.day,
    usage_ledger.key_id,
    usage_ledger.endpoint,
    usage_ledger.pack_id,
    usage_ledger.units,
    usage_ledger.last_used_at
   FROM usage_ledger
UNION ALL
 SELECT d.quota_subject,
    d.day,
    d.key_id,
    e.endpoint,
    ''::text AS pack_id,
    e.units,
    d.last_used_at
   FROM usage_days d
     CROSS JOIN LATERAL ( VALUES ('prices'::text,d.prices), ('changes'::text,d.changes), ('webhooks'::text,d.webhooks)) e(endpoint, units)
  WHERE e.units > 0;
