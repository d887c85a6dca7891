-- What one account may have and do, so that none slows another down.

-- Keys of a counter: what a key shares its quota with.
create index api_keys_quota_subject on api_keys (account_id, quota_subject);
-- Keys that work and those of today, whatever number was revoked before; and the revoked ones, page by page.
create index api_keys_revoked on api_keys (account_id, revoked_at, id);

comment on table audit_entries is
  'What was done to an account, for its members to read. Never changed. What users and keys did is forgotten after 400 days, or when 100,000 (of a key: 10,000) later things were done; what an operator, a payment or the service did is not.';
-- What is old enough to be forgotten, and who has done something of late.
create index audit_entries_own on audit_entries (at) where actor in ('user', 'key');
