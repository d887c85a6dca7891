-- When a source last had a reason to look at the amounts of a claim; null: when it was first seen. When it was read last
-- with a row that it lacks now; null: when it was found to lack it. And whether the claim came in a flood of new rows,
-- which is not heard until it has stood.
alter table feed_claims add column checked_at timestamptz, add column last_seen timestamptz,
  add column is_flood boolean not null default false;

-- The one rule that chose a price, and who says and denies each rate beside it. Null: a release before did not say.
alter table price_standings add column rule text, add column rate_evidence jsonb;

-- New reasons to wait are named by the program alone.
alter table feed_holds drop constraint feed_holds_reason_check;

-- A run may find nothing to read: 'unreachable'. The program alone names the outcomes.
alter table feed_runs drop constraint feed_runs_outcome_check;
