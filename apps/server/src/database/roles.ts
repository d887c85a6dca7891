import { sql } from 'kysely'
import type { Db } from './connect.ts'

// One role owns the schema and migrates; another one serves, and may read and write rows and nothing else.

/** The role as which a connection logs in. */
export interface Role {
  name: string
  isSuperuser: boolean
}

export async function readRole(db: Db): Promise<Role> {
  const { rows } = await sql<Role>`
    select rolname as name, rolsuper as "isSuperuser" from pg_roles where rolname = current_user`.execute(db)
  const [role] = rows
  if (!role) throw new Error('The role of this connection is not among the roles.')
  return role
}

// Grants of several processes at once would fail on each other ("tuple concurrently updated").
const grantLock = 7_310_003

/** Lets a role read and write the rows of our tables, where it may not yet. `owner` connects as their owner. */
export async function grantServing(owner: Db, role: string): Promise<void> {
  await owner.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(grantLock)})`.execute(trx)
    const { rows } = await sql<{ statement: string }>`
      with wanted as (
        select c.oid, case
          -- The role only reads views and the list of migrations.
          when c.relkind = 'v' or c.relname like 'kysely_%' then array['SELECT']
          -- The queue rebuilds a bloated index by itself, where PostgreSQL lets a role do so that is not the owner.
          when n.nspname = 'pgboss' and current_setting('server_version_num')::int >= 170000
            then array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MAINTAIN']
          else array['SELECT', 'INSERT', 'UPDATE', 'DELETE']
        end as privileges
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v') and c.relowner = current_user::regrole
      )
      select format('grant usage on schema %I to %I', nspname, ${role}::text) as statement
      from pg_namespace
      where nspname in ('public', 'pgboss') and not has_schema_privilege(${role}::text, oid, 'USAGE')
      union all
      select format('grant usage on sequence %s to %I', c.oid::regclass, ${role}::text)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relowner = current_user::regrole
        -- In this order: asking it of anything but a sequence fails.
        and case when c.relkind = 'S' then not has_sequence_privilege(${role}::text, c.oid, 'USAGE') end
      union all
      select format('grant %s on %s to %I', array_to_string(privileges, ', '), oid::regclass, ${role}::text)
      from wanted
      where exists (
        select from unnest(privileges) privilege where not has_table_privilege(${role}::text, oid, privilege)
      )`.execute(trx)
    for (const { statement } of rows) await sql.raw(statement).execute(trx)
  })
}
