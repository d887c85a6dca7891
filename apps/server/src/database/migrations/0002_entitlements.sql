-- A paid plan of an account. `is_current` says when it counts.
create table subscriptions (
  account_id text not null references accounts,
  plan text not null check (plan in ('developer', 'scale', 'team', 'enterprise')),
  status text not null default 'active' check (status in ('active', 'ended')),
  starts_at timestamptz not null,
  ends_at timestamptz,
  updated_at timestamptz not null default ratecard_now(),
  -- The subscription at the payment provider that keeps the plan; null: an operator granted it.
  provider_ref text,
  -- When the provider renews it. It ends somewhat later, in case that is reported late; null: it does not renew.
  renews_at timestamptz,
  primary key (account_id, plan),
  check (ends_at is null or ends_at >= starts_at)
);

-- The one rule of entitlement: a plan counts while it is active and its period contains the instant. The end is
-- exclusive. PostgreSQL inlines it where p_at is no call of a volatile function.
create function is_current(p_subscription subscriptions, p_at timestamptz) returns boolean
  language sql immutable
  return p_subscription.status = 'active' and p_subscription.starts_at <= p_at
    and (p_subscription.ends_at is null or p_subscription.ends_at > p_at);

-- The paid plans that count now. An account with one of them is entitled to alerts.
create view current_subscriptions as
  select s.account_id, s.plan
  from (select ratecard_now() as now) clock
  join subscriptions s on is_current(s, clock.now);

-- A paid plan as a bit, beside 1 for free. `plans.ts` has the same table, and a test compares them. A plan that is not
-- in it has no bit: it counts for nothing.
create function plan_bit(p_plan text) returns integer
  language sql immutable
  return case p_plan when 'developer' then 2 when 'scale' then 4 when 'team' then 8 when 'enterprise' then 16 end;

-- The owner of a key that works, what the key is for, and the plans of its account at that instant, as bits. PostgreSQL
-- inlines it.
create function find_caller(p_hash bytea, p_at timestamptz)
  returns table (key_id text, account_id text, quota_subject text, scope text, plans_held integer)
  language sql stable
  as $$
  select k.id, k.account_id, k.quota_subject, k.scope, held.plans
  from api_keys k
  cross join lateral (
    select 1 | coalesce(bit_or(plan_bit(s.plan)), 0) as plans
    from subscriptions s
    where s.account_id = k.account_id and is_current(s, p_at)
  ) held
  where k.hash = p_hash and (k.ends_at is null or k.ends_at > p_at)
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
  -- A voided pack expires at that instant; what is left of it stays, so the ledger still adds up.
  voided_at timestamptz,
  check (expires_at > purchased_at),
  check (voided_at is null or expires_at <= voided_at)
);
-- The next pack to use: first in, first out.
create index packs_in_order on packs (account_id, purchased_at, id) where remaining > 0;

-- The customer of an account at the payment provider.
create table billing_customers (
  account_id text primary key references accounts,
  -- The provider's id.
  customer_id text not null unique,
  -- When the provider was last asked about this customer's subscriptions, of the questions that took effect. A question
  -- that began earlier and ends later must not undo it.
  asked_at timestamptz,
  created_at timestamptz not null default ratecard_now()
);

-- Events of the payment provider that took effect, each once, however often it is delivered. What else an event says
-- stays with the provider: it names people.
create table payment_events (
  -- The provider's id.
  id text primary key,
  type text not null,
  account_id text references accounts,
  -- The payment it is about.
  payment_ref text,
  -- Whether that payment was taken back.
  takes_back boolean not null default false,
  received_at timestamptz not null default ratecard_now()
);
-- Was this payment taken back before it was reported?
create index payment_events_taken_back on payment_events (payment_ref) where takes_back;
