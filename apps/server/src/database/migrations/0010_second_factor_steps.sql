-- The last half minute, counted from 1970, whose code was taken: a code works once (RFC 6238, 5.2).
alter table auth_two_factors add column last_step bigint;
