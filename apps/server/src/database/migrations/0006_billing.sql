-- Who an account is at the payment provider.
create table billing_customers (
  account_id text primary key references accounts,
  -- The provider's id.
  customer_id text not null unique,
  -- When the provider was last asked about this customer's subscriptions, of the askings that took effect. One that
  -- began earlier and ends later must not undo it.
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

-- A voided pack expires at that instant; what is left of it stays, so that the ledger still adds up.
alter table packs add column voided_at timestamptz check (voided_at is null or expires_at <= voided_at);

-- The subscription at the payment provider that keeps a plan; null: an operator granted it.
alter table subscriptions add column provider_ref text;
-- When the provider renews it. It ends somewhat later, in case that is reported late; null: it does not renew.
alter table subscriptions add column renews_at timestamptz;
