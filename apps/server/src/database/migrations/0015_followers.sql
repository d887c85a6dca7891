-- Who is mailed of changes without an account: an address, and what it follows.
create table followers (
  id text primary key,
  -- In lower case.
  email text not null,
  kind text not null check (kind in ('all', 'vendor', 'product')),
  -- Of the vendor or product.
  name text not null check ((kind = 'all') = (name = '')),
  -- Of the link that confirms it; null: none was mailed yet, or it was used.
  token_hash bytea unique,
  created_at timestamptz not null default ratecard_now(),
  -- Null: the owner of the mailbox has not confirmed it, and is mailed nothing.
  confirmed_at timestamptz,
  -- Until when it can be confirmed; then it is deleted.
  expires_at timestamptz,
  check ((confirmed_at is null) <> (expires_at is null)),
  unique (email, kind, name)
);
-- Who follows what a change is about.
create index followers_name on followers (kind, name) where confirmed_at is not null;
create index followers_expires on followers (expires_at) where expires_at is not null;

alter table notice_progress
  drop constraint notice_progress_name_check,
  add constraint notice_progress_name_check check (name in ('at_once', 'digest', 'followed')) not valid;
