-- A price as the interface serves it. Most of a page's time was PostgreSQL's making of JSON: with the text kept beside
-- the row, 100 rows take half of it. To call it immutable is true here, though to_char and row_to_json are not always:
-- this format has no name of a month or a day, which a locale would spell, the instant is one of UTC, and texts and
-- decimals become JSON without any setting.
create function served_price(
  resource_id text, product_id text, vendor text, platform text, modality text, region text, unit text,
  input_per_mtok numeric, output_per_mtok numeric, cached_input_per_mtok numeric,
  image_per_unit numeric, audio_per_min numeric, video_per_sec numeric,
  currency text, source_url text, effective_at text, updated_at timestamptz
) returns text
  language sql immutable parallel safe
  return (
    select row_to_json(price)::text
    from (values (to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) as utc (updated_at),
      lateral (
        select resource_id, product_id, vendor, platform, modality, region, unit,
          -- Decimals as they are, without the zeros at the end that fill up the column's scale.
          trim_scale(input_per_mtok) as input_per_mtok, trim_scale(output_per_mtok) as output_per_mtok,
          trim_scale(cached_input_per_mtok) as cached_input_per_mtok,
          trim_scale(image_per_unit) as image_per_unit, trim_scale(audio_per_min) as audio_per_min,
          trim_scale(video_per_sec) as video_per_sec,
          currency, source_url, coalesce(effective_at, utc.updated_at) as effective_at, utc.updated_at
      ) as price
  );

create table prices (
  -- The longest that a cursor has room for.
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
  -- The source of the last update. Not served.
  source text not null,
  created_at timestamptz not null default ratecard_now(),
  run_id text references feed_runs deferrable initially deferred,
  served text not null generated always as (served_price(
    resource_id, product_id, vendor, platform, modality, region, unit,
    input_per_mtok, output_per_mtok, cached_input_per_mtok, image_per_unit, audio_per_min, video_per_sec,
    currency, source_url, effective_at, updated_at
  )) stored,
  -- Input is checked against the contract where it comes in. These checks hold for every other writer.
  constraint prices_shown check (
    resource_id <> '' and vendor <> ''
    and (source_url is null or ratecard_is_web_address(source_url))
    and (effective_at is null or effective_at ~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{6}Z)?$')
    and updated_at < '9999-12-31'
  ),
  -- PostgreSQL's NaN is no number in JSON, and larger than all others.
  constraint prices_amounts check (
    coalesce(input_per_mtok, 0) < 'NaN' and coalesce(output_per_mtok, 0) < 'NaN'
    and coalesce(cached_input_per_mtok, 0) < 'NaN' and coalesce(image_per_unit, 0) < 'NaN'
    and coalesce(audio_per_min, 0) < 'NaN' and coalesce(video_per_sec, 0) < 'NaN'
  )
);
-- GET /v1/prices: every combination of filters walks an index that is already in list order. The pairs exist because
-- two common values may have nothing, or nothing recent, in common.
create index prices_list on prices (updated_at desc, resource_id desc);
create index prices_vendor on prices (vendor, updated_at desc, resource_id desc);
create index prices_platform on prices (platform, updated_at desc, resource_id desc);
create index prices_modality on prices (modality, updated_at desc, resource_id desc);
create index prices_vendor_platform on prices (vendor, platform, updated_at desc, resource_id desc);
create index prices_vendor_modality on prices (vendor, modality, updated_at desc, resource_id desc);
create index prices_platform_modality on prices (platform, modality, updated_at desc, resource_id desc);
create index prices_vendor_platform_modality
  on prices (vendor, platform, modality, updated_at desc, resource_id desc);
create index prices_run on prices (run_id);
-- A product has few rows; the other filters are checked on the index entries without visiting them.
create index prices_product on prices (product_id, updated_at desc, resource_id desc, platform, modality, vendor);
-- A product has one vendor and a modality, so those filters leave most of it. Without these statistics, the planner
-- expects next to no rows, fetches all and sorts them. 300 common combinations cover the products that are large enough
-- to matter, and cost little planning time.
create statistics prices_filters (dependencies, mcv) on product_id, vendor, platform, modality from prices;
alter statistics prices_filters set statistics 300;
create trigger prices_version after insert or update or delete or truncate on prices
  for each statement execute function move_list_version('prices');

-- Every state in which a price was served, from the moment it was until the next one.
create table price_versions (
  resource_id text collate "C" not null,
  -- The wall clock of the write: the order of the states.
  updated_at timestamptz not null,
  -- The clock of the run that wrote it: since when the state is known. A replay has a clock in the past.
  observed_at timestamptz not null,
  record jsonb not null,
  source text not null,
  run_id text,
  primary key (resource_id, updated_at)
);

-- What fits no column of a price. Written with the price that is served, from the same source.
create table rate_cards (
  resource_id text collate "C" not null,
  meter text not null,
  unit text not null,
  service_tier text,
  variant text,
  threshold bigint,
  hours text,
  amount numeric(18, 9) not null check (amount >= 0),
  -- By which a cell finds the row that its hub deletes.
  id uuid primary key default gen_random_uuid(),
  unique nulls not distinct (resource_id, meter, unit, service_tier, variant, threshold, hours)
);

-- Why each price is served: who says so, who says otherwise, what waits. Written with the price.
create table price_standings (
  resource_key text collate "C" primary key,
  resource_id text collate "C" not null,
  -- The source whose unit, link and dates are served.
  source text not null,
  -- Since when no source has it any more: after a time it leaves the list.
  gone_since timestamptz,
  retires_on date,
  -- Two independent origins state the same input and output; null: neither is served.
  is_confirmed boolean,
  -- By column: {"said_by": [source], "denied_by": {source: amount}}.
  evidence jsonb not null
);
create unique index price_standings_resource on price_standings (resource_id);
