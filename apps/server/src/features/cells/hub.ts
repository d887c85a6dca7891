import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { readFeedRole, refusedInCell } from '../../database/feed-role.ts'
import { UserError } from '../../platform/user-error.ts'
import { announcedTables, feedTables, parseMark, publications, prefixSlots } from './names.ts'

// What a hub has for its cells: two publications, a role that may read them, and a pulse. A cell's place in the hub's log
// is a replication slot there.

export interface PublishOptions {
  /** As whom cells sign in here. */
  role: string
  /** The hub's own mark; null: its keys have none. */
  mark: string | null
}

/** Where a cell stands in the hub's log. */
export interface Slot {
  name: string
  mark: string
  active: boolean
  /** Bytes of the log that the hub keeps for it; null: the slot is lost, and nothing is kept. */
  held_bytes: number | null
  /** Bytes that the cell has not confirmed. */
  lag_bytes: number | null
  /** How long ago what the cell has applied was written; null: it has all, is away, or we may not know. */
  lag_seconds: number | null
  /** PostgreSQL's word: reserved, extended, unreserved or lost. */
  wal_status: string | null
}

/**
 * Lets cells follow this database. Doing it again brings the publications up to date.
 * @param owner of the tables
 * @throws UserError with all that stands in the way
 */
export async function publishFeed(
  owner: Db,
  { role, mark }: PublishOptions,
): Promise<{ warnings: string[] }> {
  if ((await readFeedRole(owner)) !== 'own') throw new UserError(refusedInCell)
  const { problems, warnings } = await examineHub(owner, role)
  if (problems.length > 0) throw new UserError(problems.join('\n'))
  await owner.transaction().execute(async (trx) => {
    // Two that publish at once: one waits.
    await sql`select pg_advisory_xact_lock(7310009)`.execute(trx)
    if (mark !== null) await storeMark(trx, mark)
    await putPublication(trx, publications.feed, feedTables, 'insert, update, delete, truncate')
    await putPublication(trx, publications.announcements, announcedTables, 'insert')
    await sql`
      insert into feed_pulse (at, migration) select ratecard_now(), max(name) from kysely_migration
      on conflict do nothing`.execute(trx)
    await sql`grant usage on schema public to ${sql.id(role)}`.execute(trx)
    await sql`grant select on ${tableList([...feedTables, ...announcedTables, 'kysely_migration'])} to ${sql.id(role)}`.execute(
      trx,
    )
  })
  return { warnings }
}

/** @throws UserError when keys have another mark already */
export async function storeMark(trx: Db, mark: string): Promise<void> {
  const { rows } = await sql<{ value: string }>`
    insert into settings as s (name, value) values ('cell_mark', ${mark})
    on conflict (name) do update set value = s.value returning value`.execute(trx)
  const known = rows[0]?.value
  if (known === mark) return
  throw new UserError(
    `This database is "${known}" already, and its keys say so: set CELL_MARK=${known}. A mark is for good, since proxies find keys by it.`,
  )
}

async function putPublication(
  trx: Db,
  name: string,
  tables: readonly string[],
  operations: string,
): Promise<void> {
  const { rows } = await sql`select from pg_publication where pubname = ${name}`.execute(trx)
  if (rows.length === 0)
    await sql`create publication ${sql.id(name)} for table ${tableList(tables)} with (publish = ${sql.lit(operations)})`.execute(
      trx,
    )
  else await sql`alter publication ${sql.id(name)} set table ${tableList(tables)}`.execute(trx)
}

export const tableList = (names: readonly string[]) => sql.join(names.map((name) => sql.table(name)))

interface HubFacts {
  wal_level: string
  slots_max: number
  slots: number
  senders_max: number
  keep_size: string
  has_accounts: boolean
  role: { login: boolean; replication: boolean } | null
}

async function examineHub(db: Db, role: string): Promise<{ problems: string[]; warnings: string[] }> {
  const { rows } = await sql<HubFacts>`
    select current_setting('wal_level') as wal_level,
      current_setting('max_replication_slots')::int as slots_max,
      (select count(*)::int from pg_replication_slots) as slots,
      current_setting('max_wal_senders')::int as senders_max,
      current_setting('max_slot_wal_keep_size') as keep_size,
      exists (select from accounts) as has_accounts,
      (
        select json_build_object('login', rolcanlogin, 'replication', rolreplication or rolsuper)
        from pg_roles where rolname = ${role}
      ) as role`.execute(db)
  const facts = rows[0]!
  const problems: string[] = []
  if (facts.wal_level !== 'logical')
    problems.push(
      `wal_level is "${facts.wal_level}" and must be "logical": alter system set wal_level = 'logical', then restart PostgreSQL.`,
    )
  if (facts.slots_max - facts.slots < slotsForACell)
    problems.push(
      `${facts.slots} of ${facts.slots_max} replication slots are taken, and a cell needs up to ${slotsForACell} while it joins: raise max_replication_slots, then restart PostgreSQL.`,
    )
  if (facts.senders_max < slotsForACell)
    problems.push(
      `max_wal_senders is ${facts.senders_max}, and a cell needs up to ${slotsForACell} while it joins: raise it, then restart PostgreSQL.`,
    )
  if (facts.role === null)
    problems.push(
      `There is no role "${role}" for cells to sign in as. As a superuser: create role ${role} login replication password '…'`,
    )
  else if (!facts.role.login || !facts.role.replication)
    problems.push(
      `The role "${role}" must be able to sign in and to replicate. As a superuser: alter role ${role} login replication`,
    )
  const warnings: string[] = []
  if (facts.keep_size === '-1')
    warnings.push(
      'max_slot_wal_keep_size is -1: a cell that stays away fills the disk with log. Set it to what the disk can spare, such as 20GB: a cell that is away for longer joins again.',
    )
  if (facts.has_accounts)
    warnings.push(
      `There are accounts in this database, and whoever has the password of "${role}" can copy all of it: PostgreSQL holds no role that replicates to some tables. Where a cell is trusted less than this hub, let the hub have no accounts (docs/cells.md).`,
    )
  return { problems, warnings }
}

/** Its own, and two for the first copy of the tables. */
const slotsForACell = 3

/** What keeps cells from following this database, seen by who wants to join; null: nothing. */
export async function whyNoHub(hub: Db): Promise<string | null> {
  const { rows } = await sql<{ published: number; replication: boolean; wal_level: string }>`
    select (select count(*)::int from pg_publication where pubname in (${publications.feed}, ${publications.announcements})) as published,
      (select rolreplication or rolsuper from pg_roles where rolname = current_user) as replication,
      current_setting('wal_level') as wal_level`.execute(hub)
  const { published, replication, wal_level } = rows[0]!
  if (published < 2 || wal_level !== 'logical')
    return 'The database of CELL_HUB_URL publishes nothing for cells yet: run "ratecard cells publish" there first.'
  if (!replication)
    return 'The role of CELL_HUB_URL may not replicate. Use the role that was named when the hub was published.'
  return null
}

/** The slots of cells at this hub. */
export async function listSlots(hub: Db): Promise<Slot[]> {
  const { rows } = await sql<Omit<Slot, 'mark'>>`
    select s.slot_name as name, s.active, s.wal_status,
      pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::float8 as held_bytes,
      pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::float8 as lag_bytes,
      extract(epoch from r.replay_lag)::float8 as lag_seconds
    from pg_replication_slots s
    left join pg_stat_replication r on r.pid = s.active_pid
    where s.slot_type = 'logical' and s.database = current_database() and s.slot_name like 'ratecard\\_cell\\_%'
    order by s.slot_name`.execute(hub)
  return rows.flatMap((row) => {
    const mark = parseMark(row.name)
    return mark === null ? [] : [{ ...row, mark }]
  })
}

/**
 * Ends the places of a cell that is gone for good. What it missed it can only have by joining anew.
 * @throws UserError when it is connected, or there is none
 */
export async function dropSlotsOf(hub: Db, mark: string): Promise<string[]> {
  const slots = (await listSlots(hub)).filter(({ name }) => name.startsWith(prefixSlots(mark)))
  if (slots.length === 0) throw new UserError(`No cell "${mark}" has a slot here.`)
  if (slots.some(({ active }) => active))
    throw new UserError(`The cell "${mark}" is connected. Let it leave by itself: run the command there.`)
  for (const { name } of slots) await sql`select pg_drop_replication_slot(${name})`.execute(hub)
  return slots.map(({ name }) => name)
}

/** Whether this database has cells, or may have. */
export async function isPublished(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_publication where pubname = ${publications.feed}`.execute(db)
  return rows.length > 0
}

/** Tables that cells should get and that are not published: the schema is newer than the publication. */
export async function unpublishedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ tablename: string }>`
    select tablename::text from pg_publication_tables
    where pubname in (${publications.feed}, ${publications.announcements})`.execute(db)
  const published = new Set(rows.map(({ tablename }) => tablename))
  return [...feedTables, ...announcedTables].filter((name) => !published.has(name))
}
