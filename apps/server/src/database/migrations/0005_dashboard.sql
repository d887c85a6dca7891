-- Users of the dashboard and how they sign in. The columns of the auth_ tables are better-auth's; it never migrates by
-- itself, and a test compares what it wants with what is here.
create table auth_users (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now()
);

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

-- Links that were mailed and not used yet, by the hash of their token.
create table auth_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default ratecard_now(),
  updated_at timestamptz not null default ratecard_now()
);
-- The link that somebody followed.
create index auth_verifications_identifier on auth_verifications (identifier);

-- How often an address has tried of late. Shared by all server processes.
create table auth_rate_limits (
  id text primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- Who may look at which account. An account that an operator made has none until somebody is added.
create table members (
  account_id text not null references accounts,
  user_id text not null references auth_users on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null default ratecard_now(),
  primary key (account_id, user_id)
);
-- The accounts of whoever signed in.
create index members_user on members (user_id, created_at, account_id);

create table invitations (
  id text primary key,
  account_id text not null references accounts,
  email text not null,
  role text not null check (role in ('owner', 'member')),
  -- SHA-256 of the token in the mailed link.
  token_hash bytea not null unique,
  invited_by text references auth_users on delete set null,
  created_at timestamptz not null default ratecard_now(),
  expires_at timestamptz not null
);
-- Asking somebody again replaces the invitation there was.
create unique index invitations_account_email on invitations (account_id, email);

-- What was done to an account, for its members to read. Never changed, never forgotten.
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
-- The audit log, page by page.
create index audit_entries_account on audit_entries (account_id, at desc, id desc);

-- What was sent to an account, page by page, to deleted subscriptions too; and what failed of late.
create index deliveries_account on deliveries (account_id, created_at desc, id desc);
