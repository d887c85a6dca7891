-- Accounts that move between cells (features/cells/move-account.ts). A stopped account is served by nobody here: it is
-- about to leave, has left, or is not here as a whole yet. Its keys are set aside then: a byte stands before each hash,
-- so that no request finds one, and no request pays for the question.
alter table accounts add column is_stopped boolean not null default false;

create table account_moves (
  account_id text not null,
  direction text not null check (direction in ('out', 'in')),
  -- The same in both databases, and another one for each move.
  move_id text not null,
  -- out: quiet (no webhook is told, all else is served), leaving (stopped), undoing, left. From left on the other cell
  -- has the account, and this row is the way there.
  -- in: expected, arriving (stopped). There is no row any more once it has arrived.
  state text not null check (state in ('quiet', 'leaving', 'undoing', 'left', 'expected', 'arriving')),
  -- The other cell: its mark, or home.
  cell text not null,
  -- Of an arriving account: the announcements of whose changes its webhooks were told where it comes from, and the users
  -- who were made here with it.
  told text[] not null default '{}',
  new_users text[] not null default '{}',
  begun_at timestamptz not null default ratecard_now(),
  primary key (account_id, direction)
);

-- Keys of accounts that left, which proxies still lead here, and their people, who may still sign in here.
create table moved_keys (
  hash bytea primary key,
  account_id text not null
);
create index moved_keys_account on moved_keys (account_id);
create table moved_users (
  user_id text not null references auth_users on delete cascade,
  account_id text not null,
  primary key (user_id, account_id)
);
create index moved_users_account on moved_users (account_id);
