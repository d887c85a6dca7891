-- A user is made when a mailed link was followed, with the password that is chosen there. Whoever has only signed up
-- is none: a password chosen before could be anybody's.
delete from auth_users u where not email_verified and not exists (select from members m where m.user_id = u.id);
-- Links of the way before. Those who wait for one ask for another.
delete from auth_verifications;

-- Links that were mailed and not used yet.
create table mailed_links (
  -- SHA-256 of the token in the link.
  token_hash bytea primary key,
  purpose text not null check (purpose in ('sign-up', 'password-reset')),
  -- Whose mailbox it was sent to, in lower case.
  email text not null,
  expires_at timestamptz not null
);
-- All that become useless when one of them is used.
create index mailed_links_email on mailed_links (email);
-- Those that are to be forgotten.
create index mailed_links_expires on mailed_links (expires_at);

-- How often something was tried of late, by whom or about whom. Shared by all server processes.
create table attempts (
  -- SHA-256 of what is counted and of whose it is: people type passwords where an address belongs.
  key bytea primary key,
  count integer not null,
  -- When the count begins anew.
  ends_at timestamptz not null
) with (fillfactor = 50); -- room for updates in place
-- Those that are to be forgotten.
create index attempts_ends on attempts (ends_at);
drop table auth_rate_limits;

-- An invitation is worth what whoever made it is worth; one of an operator has nobody.
alter table invitations drop constraint invitations_invited_by_fkey;
alter table invitations add constraint invitations_invited_by_fkey
  foreign key (invited_by) references auth_users on delete cascade;
-- The invitations of a user who is deleted, or no owner any more.
create index invitations_invited_by on invitations (invited_by);

-- Which user made the account, by signing up or by hand; null: an operator, or it was made before this was written down.
alter table accounts add column made_by text references auth_users on delete set null;
-- How many a user has made.
create index accounts_made_by on accounts (made_by) where made_by is not null;
-- The row of a deleted account stays, for its ledger and its audit log.
alter table accounts add column deleted_at timestamptz;

-- Second factors. The columns are better-auth's; secrets and recovery codes are encrypted.
alter table auth_users add column two_factor_enabled boolean default false;
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
