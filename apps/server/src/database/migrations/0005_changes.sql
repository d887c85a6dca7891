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
  -- The address where the vendor says so. Shown on the public HTML page of the change, not in the API.
  source_url text,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null unique,
  -- The run that found the change; null: it was published by hand.
  run_id text references feed_runs deferrable initially deferred,
  -- As prices_shown.
  constraint changes_shown check (
    id <> '' and vendor <> '' and product <> '' and modality <> '' and category <> ''
    and char_length(title) <= 200 and char_length(summary) <= 4000
    and (source_url is null or ratecard_is_web_address(source_url))
    and updated_at < '9999-12-31'
  )
);
-- GET /v1/changes: every combination of filters walks indexes that are already in list order and hold no row that does
-- not match. A least severity is one walk per severity, merged; so is what includes incidents. The default list, then
-- with min_severity, vendor, vendor and min_severity: incidents are left out.
create index changes_list on changes (updated_at desc, id desc) where category <> 'incident';
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
create index changes_run on changes (run_id);
-- As prices_filters.
create statistics changes_filters (dependencies, mcv) on product, vendor, category, severity from changes;
alter statistics changes_filters set statistics 300;
create trigger changes_version after insert or update or delete or truncate on changes
  for each statement execute function move_list_version('changes');

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
create trigger change_alternatives_version after insert or update or delete or truncate on change_alternatives
  for each statement execute function move_list_version('changes');

-- What each source said when a change was published, for it and against it. Never changed afterwards.
create table change_evidence (
  change_id text collate "C" not null references changes on delete cascade,
  resource_id text not null,
  -- The amount's column; null: the row as a whole.
  field text,
  source text not null,
  version text,
  source_key text not null,
  amount numeric(18, 9),
  amount_before numeric(18, 9),
  since timestamptz not null,
  last_seen timestamptz not null,
  source_url text,
  -- As that of rate_cards.
  id uuid primary key default gen_random_uuid()
);
create index change_evidence_change on change_evidence (change_id);
