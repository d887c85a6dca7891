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

-- Users of the dashboard. A user is made when a mailed link is followed, with the password that is chosen there: a
-- password that was chosen before could be a stranger's.
--
-- The columns of the auth_ tables are better-auth's; it never migrates by itself, and a test compares what it wants
-- with what is here.
create table auth_users (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now(),
  two_factor_enabled boolean default false
);

create table accounts (
  id text primary key,
  name text not null,
  created_at timestamptz not null default ratecard_now(),
  -- The user who made the account, by signing up or by hand; null: an operator did.
  made_by text references auth_users on delete set null,
  -- The row of a deleted account stays, for its ledger and its audit log.
  deleted_at timestamptz,
  -- When a member put the first steps away that a new account is shown; null: they are shown.
  first_steps_ended_at timestamptz
);
-- Counts the accounts that a user made.
create index accounts_made_by on accounts (made_by) where made_by is not null;

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
  revoked_at timestamptz,
  -- The same, by the choice of who made the key; null: it does not expire.
  expires_at timestamptz,
  -- From this instant on the key is refused, whatever the reason: the only column that says whether a key works.
  ends_at timestamptz generated always as (least(revoked_at, expires_at)) stored,
  -- What the key may ask for: all that the plan includes, or of that what the free plan includes.
  scope text not null default 'all' check (scope in ('all', 'prices'))
);
-- keys list, and the count behind the cap on active keys.
create index api_keys_account on api_keys (account_id, created_at, id);
-- The keys of a counter, which share its quota.
create index api_keys_quota_subject on api_keys (account_id, quota_subject);
-- Keys that work and those of today, whatever number ended before; and those that ended, page by page.
create index api_keys_ended on api_keys (account_id, ends_at, id);
-- Keys that ended long ago, to delete.
create index api_keys_ends on api_keys (ends_at) where ends_at is not null;
-- Notices of keys that soon expire.
create index api_keys_expiring on api_keys (expires_at) where expires_at is not null;

create table auth_sessions (
  id text primary key,
  user_id text not null references auth_users on delete cascade,
  -- Half of a cookie: the other half is a signature with a key that is not in the database.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- The account that the session looks at; null: the one the user joined first.
  account_id text references accounts on delete set null,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now()
);
-- The sessions of a user.
create index auth_sessions_user on auth_sessions (user_id);
-- Sessions to delete.
create index auth_sessions_expires on auth_sessions (expires_at);

create table auth_credentials (
  id text primary key,
  user_id text not null references auth_users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  -- A slow hash (scrypt) with its salt.
  password text,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now()
);
-- How a user may sign in.
create index auth_credentials_user on auth_credentials (user_id);

create table auth_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now()
);
create index auth_verifications_identifier on auth_verifications (identifier);
create index auth_verifications_expires on auth_verifications (expires_at);

-- Second factors. Secrets and recovery codes are encrypted.
create table auth_two_factors (
  id text primary key,
  user_id text not null references auth_users on delete cascade,
  secret text not null,
  backup_codes text not null,
  -- False until a code of the app was shown.
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz
);
-- A user has one.
create unique index auth_two_factors_user on auth_two_factors (user_id);

-- Links that were mailed and not used yet.
create table mailed_links (
  -- SHA-256 of the token in the link.
  token_hash bytea primary key,
  purpose text not null check (purpose in ('sign-up', 'password-reset')),
  -- The mailbox that it was sent to, in lower case.
  email text not null,
  expires_at timestamptz not null
);
-- All that become useless when one of them is used.
create index mailed_links_email on mailed_links (email);
-- Links to delete.
create index mailed_links_expires on mailed_links (expires_at);

-- How often something was tried lately, by one client or about one user. Shared by all server processes.
create table attempts (
  -- SHA-256 of the kind of attempt and its subject: people type passwords into a field for addresses.
  key bytea primary key,
  count integer not null,
  -- When the count begins anew.
  ends_at timestamptz not null
) with (fillfactor = 50); -- room for updates in place
-- Counts to delete.
create index attempts_ends on attempts (ends_at);

-- Which users may see which account. An account that an operator made has no member until one is added.
create table members (
  account_id text not null references accounts,
  user_id text not null references auth_users on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null default ratecard_now(),
  primary key (account_id, user_id)
);
-- The accounts of the user who signed in.
create index members_user on members (user_id, created_at, account_id);

create table invitations (
  id text primary key,
  account_id text not null references accounts,
  email text not null,
  role text not null check (role in ('owner', 'member')),
  -- SHA-256 of the token in the mailed link.
  token_hash bytea not null unique,
  -- An invitation is as good as the user who made it; null: an operator made it.
  invited_by text references auth_users on delete cascade,
  created_at timestamptz not null default ratecard_now(),
  expires_at timestamptz not null
);
-- A second invitation to an address replaces the first.
create unique index invitations_account_email on invitations (account_id, email);
-- The invitations of a user who is deleted, or no owner any more.
create index invitations_invited_by on invitations (invited_by);

-- What a user watches in an account. It ends with the membership.
create table watches (
  account_id text not null,
  user_id text not null,
  kind text not null check (kind in ('product', 'vendor')),
  -- As changes name it: a product, a resource that is linked to none, or a vendor.
  name text collate "C" not null check (char_length(name) between 1 and 512),
  created_at timestamptz not null default ratecard_now(),
  primary key (account_id, user_id, kind, name),
  foreign key (account_id, user_id) references members on delete cascade
);
-- Who watches what a change is about.
create index watches_name on watches (kind, name);

-- What a user wants mails of. No row: all of it, and what is watched once a day.
create table notice_settings (
  user_id text primary key references auth_users on delete cascade,
  off text[] not null default '{}'
    check (off <@ array['quota', 'packs', 'webhooks', 'keys', 'watched']),
  -- From this severity on, a change of what is watched is mailed at once.
  at_once_severity smallint check (at_once_severity between 1 and 5),
  updated_at timestamptz not null default ratecard_now()
);

-- What a user is told of an account, each once. It ends with the membership.
create table notices (
  id text primary key default 'ntc_' || translate(gen_random_uuid()::text, '-', ''),
  user_id text not null,
  account_id text not null,
  event text not null check (event in (
    'quota_80', 'quota_used_up', 'packs_low', 'packs_used_up', 'packs_ending',
    'webhook_off', 'webhook_failing', 'key_expiring', 'watched_change', 'watched_digest'
  )),
  -- What there is one notice of: a counter's day, a pack, a day, a change.
  period text not null,
  -- What is told. Never a key, a secret or a token.
  facts jsonb not null,
  created_at timestamptz not null default ratecard_now(),
  -- off: the user has switched such mails off; not_mailed: there was no mail server.
  outcome text not null
    check (outcome in ('waiting', 'mailed', 'collected', 'refused', 'off', 'not_mailed')),
  -- When a waiting notice is taken up, again where a worker was lost.
  due_at timestamptz not null default ratecard_now(),
  settled_at timestamptz,
  unique (user_id, account_id, event, period),
  foreign key (account_id, user_id) references members on delete cascade
);
-- The latest of a user, and how many were mailed lately.
create index notices_user on notices (user_id, created_at desc, id desc);
create index notices_waiting on notices (due_at) where outcome = 'waiting';
-- Notices to delete.
create index notices_created on notices (created_at);

-- Up to which moment changes were told to who watches them.
create table notice_progress (
  name text primary key check (name in ('at_once', 'digest')),
  until timestamptz not null
);

create table audit_entries (
  id text collate "C" primary key,
  account_id text not null references accounts,
  at timestamptz not null default ratecard_now(),
  actor text not null check (actor in ('user', 'key', 'operator', 'provider', 'system')),
  -- No foreign key, and the address as it was: the log outlives the user.
  user_id text,
  -- Of a user the address, of a key the id.
  actor_name text,
  action text not null,
  subject_id text,
  -- Facts by name, as text. Never a secret.
  details jsonb not null default '{}'
);
comment on table audit_entries is
  'What was done to an account, for its members to read. Never changed. What users and keys did is forgotten after 400 days, or when 100,000 (of a key: 10,000) later things were done; what an operator, a payment or the service did is not.';
-- The audit log, page by page.
create index audit_entries_account on audit_entries (account_id, at desc, id desc);
-- Entries old enough to delete, and recent actions of users and keys.
create index audit_entries_own on audit_entries (at) where actor in ('user', 'key');
