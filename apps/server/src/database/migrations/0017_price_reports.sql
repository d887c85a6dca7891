-- What readers of the pages say is wrong about a price. Operators alone see it.
create table price_reports (
  id text primary key,
  -- Of a price that was served then.
  resource_id text not null,
  should_be text not null check (length(should_be) <= 200),
  -- Where the vendor says so. Nothing ever fetches it.
  source_url text not null check (length(source_url) <= 500),
  -- Of who may be asked; as it was typed, nobody has confirmed it.
  email text check (length(email) <= 254),
  -- Equal reports are one.
  times integer not null default 1 check (times > 0),
  first_at timestamptz not null default ratecard_now(),
  -- It is forgotten 90 days later.
  last_at timestamptz not null default ratecard_now(),
  -- Null: it waits for an operator.
  closed_at timestamptz
);
create unique index price_reports_same on price_reports (resource_id, lower(should_be), source_url);
create index price_reports_last on price_reports (last_at);
