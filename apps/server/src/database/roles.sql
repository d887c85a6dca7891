-- The two roles of a Ratecard, made by a superuser in its database: ratecard_owner owns the schema and migrates,
-- ratecard_server serves and may read and write rows. It may run any number of times. Passwords come as settings:
-- select set_config('ratecard.owner_password', '…', false), set_config('ratecard.server_password', '…', false);
-- "ratecard migrate" grants the serving role its rights, table by table.
do $roles$
declare
  statement text;
begin
  if to_regrole('ratecard_owner') is null then
    create role ratecard_owner;
  end if;
  if to_regrole('ratecard_server') is null then
    create role ratecard_server;
  end if;
  execute format('alter role ratecard_owner login password %L', current_setting('ratecard.owner_password'));
  execute format('alter role ratecard_server login password %L', current_setting('ratecard.server_password'));

  execute format('alter database %I owner to ratecard_owner', current_database());
  execute format('revoke temporary on database %I from public', current_database());
  revoke create on schema public from public;
  grant usage, create on schema public to ratecard_owner;

  -- What was made before there were roles belongs to the role that served then. Parts go with their wholes: a sequence
  -- with its column ('a', 'i'), a table's row type with the table; what an extension brought ('e') stays with it.
  for statement in
    select format('alter schema %I owner to ratecard_owner', nspname)
    from pg_namespace
    where nspname = 'pgboss' and nspowner <> 'ratecard_owner'::regrole
    union all
    select format('alter table %s owner to ratecard_owner', c.oid::regclass)
    from pg_class c
    where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
      and c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> 'ratecard_owner'::regrole
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e')
          and (c.relkind = 'S' or d.deptype = 'e')
      )
    union all
    select format('alter routine %s owner to ratecard_owner', p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
      and p.proowner <> 'ratecard_owner'::regrole
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
    union all
    select format('alter statistics %I.%I owner to ratecard_owner', s.stxnamespace::regnamespace, s.stxname)
    from pg_statistic_ext s
    where s.stxnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
      and s.stxowner <> 'ratecard_owner'::regrole
    union all
    select format('alter type %s owner to ratecard_owner', t.oid::regtype)
    from pg_type t
    where t.typnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
      and t.typtype in ('d', 'e') and t.typowner <> 'ratecard_owner'::regrole
      and not exists (
        select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'
      )
  loop
    execute statement;
  end loop;
end
$roles$;
