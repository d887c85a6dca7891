-- Keys with which users sign in without a password (WebAuthn). The private half never leaves the device.
create table passkeys (
  id text primary key,
  user_id text not null references auth_users on delete cascade,
  -- How people call it.
  name text not null,
  -- By which a device finds the private half, as base64url.
  credential_id text not null unique,
  -- As COSE writes it.
  public_key bytea not null,
  -- Signatures that the device has counted; 0: it does not count.
  sign_count bigint not null,
  created_at timestamptz not null default ratecard_now(),
  last_used_at timestamptz
);
-- The passkeys of a user.
create index passkeys_user on passkeys (user_id, created_at, id);
