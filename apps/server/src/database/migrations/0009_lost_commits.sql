-- What processes noticed of commits that were confirmed and that the database does not have any more. Rows stay until an
-- operator has read them (`ratecard ledger verify --acknowledge`).
create table lost_commits (
  noticed_at timestamptz not null default ratecard_now(),
  what text not null,
  primary key (noticed_at, what)
);
