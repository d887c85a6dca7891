-- The one clock: quota days, packs, subscriptions and keys all live by it, whichever process asks.
-- Tests replace it in their own database to stand at midnight or next month.
create function ratecard_now() returns timestamptz
  language sql volatile
  as 'select clock_timestamp()';

-- Facts about this installation, such as whether the first start has run.
create table settings (
  name text primary key,
  value text not null
);

create table accounts (
  id text primary key,
  name text not null,
  created_at timestamptz not null default ratecard_now()
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts,
  name text not null,
  -- SHA-256 of the whole key. Keys are random, so a slow hash would add nothing.
  hash bytea not null unique,
  prefix text not null,
  last_four text not null,
  -- The key whose daily counter this one uses: itself, or the key it was rotated from.
  quota_subject text not null,
  created_at timestamptz not null default ratecard_now(),
  -- From this instant on the key is refused. In the future while a rotated key has its grace period.
  revoked_at timestamptz
);
-- keys list, and the count behind the cap on active keys.
create index api_keys_account on api_keys (account_id, created_at, id);

-- A paid plan of an account. It counts while status is 'active' and the period contains now.
create table subscriptions (
  account_id text not null references accounts,
  plan text not null check (plan in ('developer', 'scale', 'team', 'enterprise')),
  status text not null default 'active' check (status in ('active', 'ended')),
  starts_at timestamptz not null,
  ends_at timestamptz,
  updated_at timestamptz not null default ratecard_now(),
  primary key (account_id, plan),
  check (ends_at is null or ends_at >= starts_at)
);

create table packs (
  id text primary key,
  account_id text not null references accounts,
  purchased_at timestamptz not null,
  expires_at timestamptz not null,
  units integer not null check (units > 0),
  remaining integer not null check (remaining between 0 and units),
  -- The payment that bought it: one payment is one pack, however often it is reported.
  payment_ref text unique,
  created_at timestamptz not null default ratecard_now(),
  check (expires_at > purchased_at)
);
-- The next pack to use: first in, first out.
create index packs_in_order on packs (account_id, purchased_at, id) where remaining > 0;

-- The balance: what a counter has used on a UTC day. A new day is a new row, so nothing is ever reset.
create table usage_days (
  quota_subject text not null,
  day date not null,
  plan_used integer not null default 0 check (plan_used >= 0),
  topup_used integer not null default 0 check (topup_used >= 0),
  primary key (quota_subject, day)
) with (fillfactor = 50); -- room for updates in place: these rows change with every request

-- The ledger: who used how many units, where, and who paid. Written in the same statement as the balances,
-- so that each can be derived from it again (`ratecard ledger verify`).
create table usage_ledger (
  quota_subject text not null,
  day date not null,
  key_id text not null references api_keys,
  endpoint text not null check (endpoint in ('prices', 'changes', 'webhooks')),
  -- The pack that paid; empty when the plan did.
  pack_id text not null default '',
  units integer not null check (units > 0),
  last_used_at timestamptz not null,
  primary key (quota_subject, day, key_id, endpoint, pack_id)
) with (fillfactor = 50);
-- ledger verify, per pack.
create index usage_ledger_pack on usage_ledger (pack_id) where pack_id <> '';
-- last use of a key.
create index usage_ledger_key on usage_ledger (key_id, day);

-- Takes one unit for a request: from the day's plan quota, else from the account's oldest live pack, else not
-- at all. Commits with the caller's transaction.
--
-- `on conflict … where` locks the counter even when the limit is reached, so two requests can never both take
-- the last unit, nor a pack's unit while the plan has one left. The account row is locked before packs are
-- looked at: each statement below it sees what the previous holder committed, so packs are used strictly in
-- order and none is passed over.
create function reserve_unit(
  in p_quota_subject text, in p_key_id text, in p_account_id text, in p_daily_limit integer, in p_endpoint text,
  -- 'plan', 'topup', or 'denied'
  out source text, out day date, out plan_used integer
)
  language plpgsql volatile
  as $$
declare
  v_now timestamptz := ratecard_now();
  v_pack_id text := '';
begin
  day := (v_now at time zone 'utc')::date;

  insert into usage_days as d (quota_subject, day, plan_used)
  values (p_quota_subject, reserve_unit.day, 1)
  on conflict on constraint usage_days_pkey do update
    set plan_used = d.plan_used + 1
    where d.plan_used < p_daily_limit
  returning d.plan_used into plan_used;

  if found then
    source := 'plan';
  else
    perform 1 from accounts a where a.id = p_account_id for no key update;
    update packs p set remaining = p.remaining - 1
    where p.id = (
      select live.id from packs live
      where live.account_id = p_account_id and live.remaining > 0 and live.expires_at > v_now
      order by live.purchased_at, live.id
      limit 1
    )
    returning p.id into v_pack_id;

    if found then
      source := 'topup';
      update usage_days d set topup_used = d.topup_used + 1
      where d.quota_subject = p_quota_subject and d.day = reserve_unit.day
      returning d.plan_used into plan_used;
    else
      source := 'denied';
      select d.plan_used into plan_used from usage_days d
      where d.quota_subject = p_quota_subject and d.day = reserve_unit.day;
      return;
    end if;
  end if;

  insert into usage_ledger as l (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
  values (p_quota_subject, reserve_unit.day, p_key_id, p_endpoint, v_pack_id, 1, v_now)
  on conflict on constraint usage_ledger_pkey do update
    set units = l.units + 1, last_used_at = excluded.last_used_at;
end
$$;

create table prices (
  -- What a cursor has room for.
  resource_id text collate "C" primary key check (char_length(resource_id) <= 512),
  product_id text,
  vendor text not null,
  platform text,
  modality text,
  region text,
  unit text,
  input_per_mtok numeric(18, 9) check (input_per_mtok >= 0),
  output_per_mtok numeric(18, 9) check (output_per_mtok >= 0),
  cached_input_per_mtok numeric(18, 9) check (cached_input_per_mtok >= 0),
  image_per_unit numeric(18, 9) check (image_per_unit >= 0),
  audio_per_min numeric(18, 9) check (audio_per_min >= 0),
  video_per_sec numeric(18, 9) check (video_per_sec >= 0),
  currency text,
  source_url text,
  -- The source's own date or instant, as it writes it; null: the record's updated_at is served.
  effective_at text,
  -- Moves only when a served value moves, strictly increasing in commit order, each row its own microsecond.
  updated_at timestamptz not null unique,
  -- Where the record came from last. Not served.
  source text not null,
  created_at timestamptz not null default ratecard_now()
);
-- GET /v1/prices: every combination of filters walks an index that is already in page order. The pairs exist
-- because two common values may have nothing, or nothing recent, in common.
create index prices_feed on prices (updated_at desc, resource_id desc);
create index prices_vendor on prices (vendor, updated_at desc, resource_id desc);
create index prices_platform on prices (platform, updated_at desc, resource_id desc);
create index prices_modality on prices (modality, updated_at desc, resource_id desc);
create index prices_vendor_platform on prices (vendor, platform, updated_at desc, resource_id desc);
create index prices_vendor_modality on prices (vendor, modality, updated_at desc, resource_id desc);
create index prices_platform_modality on prices (platform, modality, updated_at desc, resource_id desc);
create index prices_vendor_platform_modality
  on prices (vendor, platform, modality, updated_at desc, resource_id desc);
-- A product has few rows; the other filters are checked on the index entries without visiting them.
create index prices_product on prices (product_id, updated_at desc, resource_id desc, platform, modality, vendor);
-- A product has one vendor and a modality, so those filters leave most of it. Without knowing, the planner expects
-- next to nothing, fetches everything and sorts it. 300 common combinations cover the products that are large enough
-- to matter, and cost a query's planning little.
create statistics prices_filters (dependencies, mcv) on product_id, vendor, platform, modality from prices;
alter statistics prices_filters set statistics 300;

create table changes (
  id text collate "C" primary key,
  vendor text not null,
  product text not null,
  modality text not null,
  category text not null,
  severity smallint not null check (severity between 1 and 5),
  title text not null,
  summary text not null,
  diff_before text,
  diff_after text,
  diff_keys text,
  impact_score smallint not null check (impact_score between 0 and 100),
  impact_cost smallint,
  impact_reliability smallint,
  impact_migration smallint,
  impact_quality smallint,
  impact_compliance smallint,
  impact_notes text,
  migration_deadline text,
  effective_time text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  verified boolean,
  verified_at timestamptz,
  status text,
  -- Where the vendor says so. Shown on the public page of the change, not in the API.
  source_url text,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null unique
);
-- GET /v1/changes: every combination of filters walks indexes that are already in page order and hold no row
-- that does not match. A least severity is one walk per severity, merged; so is what includes incidents.
-- The default feed, then with min_severity, vendor, vendor and min_severity: incidents are left out.
create index changes_feed on changes (updated_at desc, id desc) where category <> 'incident';
create index changes_severity on changes (severity, updated_at desc, id desc) where category <> 'incident';
create index changes_vendor on changes (vendor, updated_at desc, id desc) where category <> 'incident';
create index changes_vendor_severity on changes (vendor, severity, updated_at desc, id desc)
  where category <> 'incident';
-- The same four with category. They also give the incidents of include_incidents.
create index changes_category on changes (category, updated_at desc, id desc);
create index changes_category_severity on changes (category, severity, updated_at desc, id desc);
create index changes_vendor_category on changes (vendor, category, updated_at desc, id desc);
create index changes_vendor_category_severity on changes (vendor, category, severity, updated_at desc, id desc);
-- A product has few rows; the other filters are checked on the index entries without visiting them. Two, because
-- an index cannot check "is no incident".
create index changes_product on changes (product, updated_at desc, id desc, severity, category, vendor)
  where category <> 'incident';
create index changes_product_incidents on changes (product, updated_at desc, id desc, severity, vendor)
  where category = 'incident';
-- As prices_filters.
create statistics changes_filters (dependencies, mcv) on product, vendor, category, severity from changes;
alter statistics changes_filters set statistics 300;

create table change_alternatives (
  id text primary key,
  change_id text collate "C" not null references changes on delete cascade,
  product_id text not null,
  product_name text not null,
  vendor text not null,
  migration_effort text not null check (migration_effort in ('low', 'medium', 'high')),
  cost_diff_pct double precision,
  quality_comparison text,
  notes text,
  rank integer not null check (rank >= 1),
  created_at timestamptz not null default ratecard_now()
);
-- The alternatives of the changes on a page.
create index change_alternatives_change on change_alternatives (change_id, rank, id);

create table webhooks (
  id text primary key,
  account_id text not null references accounts,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  -- AES-256-GCM under the key named by secret_key_id, bound to this row's id and account.
  secret_ciphertext bytea not null,
  secret_key_id text not null,
  last_status integer,
  last_error text,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now()
);
-- The owner's list, and the count behind the limit on active webhooks.
create index webhooks_account on webhooks (account_id, created_at, id);
