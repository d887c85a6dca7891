-- The last run that was applied, however many were refused since.
create index concurrently if not exists feed_runs_applied on feed_runs (source, observed_at, created_at)
  where outcome = 'applied'
