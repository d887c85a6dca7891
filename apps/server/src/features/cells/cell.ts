import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { readFeedRole } from '../../database/feed-role.ts'
import { compareMigrations, namesIn } from '../../database/compare-migrations.ts'
import { readServerVersion } from '../../database/migrate.ts'
import { UserError } from '../../platform/user-error.ts'
import { isPublished, listSlots, storeMark, tableList, whyNoHub } from './hub.ts'
import { announcedTables, feedTables, publications, slotName, prefixSlots } from './names.ts'

// How a database becomes a cell, and ends being one. Each step may be interrupted after it was done and before the next:
// the whole is done again then, and goes on.

export interface JoinOptions {
  mark: string
  /** The hub, as PostgreSQL will reach it from here. */
  hubUrl: string
  hub: Db
  /** Delete the prices and changes that the database has of its own. */
  replace: boolean
  /** Gets sentences for the operator. */
  say: (text: string) => void
}

/** What came of it. */
export interface Joined {
  mark: string
  tables: number
  /** It was a cell before: alerts that were announced meanwhile are sent now. */
  again: boolean
}

const copied = [...feedTables, ...announcedTables]

/**
 * Makes this database a cell of the hub, and waits until it has all of the hub's rows.
 * @param owner of the tables here, who may make subscriptions
 * @throws UserError with what stands in the way
 */
export async function joinHub(owner: Db, options: JoinOptions): Promise<Joined> {
  const { mark, hub, hubUrl, replace, say } = options
  const no = await whyNoHub(hub)
  if (no !== null) throw new UserError(no)
  await requireOtherDatabase(owner, hub)
  await requireSameSchema(owner, hub)
  if (await isPublished(owner))
    throw new UserError('This database is a hub itself. A hub follows no other: its cells would not see it.')
  if ((await readFeedRole(owner)) === 'own' && !replace) await requireFresh(owner)
  const name = await prepare(owner, hub, mark)

  const slot = (await listSlots(hub)).find((one) => one.name === name)
  const isLost = slot === undefined || slot.wal_status === 'lost'
  let subscription = await findSubscription(owner)
  if (subscription !== null && (isLost || subscription.name !== name)) {
    say('The hub no longer keeps what this cell has missed: all of it is fetched again.')
    await dropSubscription(owner, subscription.name)
    subscription = null
  }
  if (subscription === null) {
    if (slot && isLost) await sql`select pg_drop_replication_slot(${name})`.execute(hub)
    if (isLost) await createSlot(hub, name)
    // What an interrupted join, or another time as a cell, has left.
    await sql`truncate ${tableList(copied)}`.execute(owner)
    await createSubscription(owner, name, hubUrl)
  } else await renewSubscription(owner, name, hubUrl)
  await untilCopied(owner, say)
  return { mark, tables: copied.length, again: await finish(owner) }
}

/**
 * Whether the role may make the subscription, and is the one that makes tables here: asked before anything is changed.
 * @throws UserError when it is not
 */
export async function requireJoiner(owner: Db): Promise<void> {
  const { rows } = await sql<{ subscribes: boolean; is_guest: boolean }>`
    select r.rolsuper or coalesce(
        (select pg_has_role(p.oid, 'usage') from pg_roles p where p.rolname = 'pg_create_subscription')
          and has_database_privilege(d.oid, 'create'), false) as subscribes,
      r.rolsuper and d.datdba <> r.oid as is_guest
    from pg_roles r, pg_database d
    where r.rolname = current_user and d.datname = current_database()`.execute(owner)
  const { subscribes, is_guest } = rows[0]!
  if (!subscribes) throw new UserError(mayNotSubscribe)
  if (is_guest && namesIn(await compareMigrations(owner), 'pending').length > 0)
    throw new UserError(
      'The database lacks migrations, and the role of this command does not own it: the tables would be that role\'s. Run "ratecard migrate" first, with DATABASE_OWNER_URL set to the role that owns the database.',
    )
}

/** Two databases of one server have one system identifier, so the database counts too. */
async function requireOtherDatabase(here: Db, hub: Db): Promise<void> {
  const identify = sql<{ id: string }>`
    select system_identifier::text || '/' || (select oid from pg_database where datname = current_database()) as id
    from pg_control_system()`
  const [own, other] = await Promise.all([identify.execute(here), identify.execute(hub)])
  if (own.rows[0]?.id === other.rows[0]?.id)
    throw new UserError('CELL_HUB_URL leads to this very database. Set it to that of the hub.')
}

/** The newest migration of a database. */
export async function readMigration(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
  return rows[0]?.name ?? ''
}

async function requireSameSchema(here: Db, hub: Db): Promise<void> {
  const [own, other] = await Promise.all([readMigration(here), readMigration(hub)])
  if (own === other) return
  const older = own < other ? 'This database' : 'The hub'
  throw new UserError(
    `This database has the schema ${own}, and the hub ${other}. ${older} must be migrated first: both run the same release when a cell joins.`,
  )
}

/** A cell begins without prices, and they may be what somebody wants to keep. */
export class HasOwnFeed extends UserError {}

async function requireFresh(db: Db): Promise<void> {
  const { rows } = await sql<{ prices: number; changes: number; runs: number }>`
    select (select count(*)::int from prices) as prices, (select count(*)::int from changes) as changes,
      (select count(*)::int from feed_runs) as runs`.execute(db)
  const { prices, changes, runs } = rows[0]!
  if (prices + changes + runs === 0) return
  throw new HasOwnFeed(
    `This database has ${prices} prices, ${changes} changes and ${runs} runs of sources of its own, and a cell begins without any. Its accounts and keys may stay.`,
  )
}

/** Writes down what it is to be. Returns the name of its place at the hub. */
async function prepare(owner: Db, hub: Db, mark: string): Promise<string> {
  return owner.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7310009)`.execute(trx)
    await storeMark(trx, mark)
    const { rows } = await sql<{ value: string }>`
      insert into settings as s (name, value) values ('cell_id', ${randomBytes(4).toString('hex')})
      on conflict (name) do update set value = s.value returning value`.execute(trx)
    const name = slotName(mark, rows[0]!.value)
    const slots = await listSlots(hub)
    const alike = slots.find((slot) => slot.mark !== mark && slot.mark.toLowerCase() === mark.toLowerCase())
    if (alike)
      throw new UserError(
        `The cell "${alike.mark}" of this hub differs from "${mark}" in case alone, and people would take one for the other. Choose another CELL_MARK.`,
      )
    const others = slots.filter((slot) => slot.name !== name && slot.name.startsWith(prefixSlots(mark)))
    if (others.length > 0)
      throw new UserError(
        `Another database is the cell "${mark}" of this hub. Choose another CELL_MARK; or, when that one is gone for good, run "ratecard cells leave ${mark}" at the hub.`,
      )
    await sql`
      insert into settings (name, value) values ('feed', 'joining') on conflict (name) do update set value = 'joining'`.execute(
      trx,
    )
    return name
  })
}

/** From PostgreSQL 17 on, with a standby that is set up for it, the slot is there after a failover of the hub. */
async function createSlot(hub: Db, name: string): Promise<void> {
  const survives = (await readServerVersion(hub)) >= 17 ? sql`, failover => true` : sql``
  await sql`select pg_create_logical_replication_slot(${name}, 'pgoutput'${survives})`.execute(hub)
}

async function createSubscription(owner: Db, name: string, hubUrl: string): Promise<void> {
  await sql`
    create subscription ${sql.id(name)} connection ${sql.lit(hubUrl)}
    publication ${sql.id(publications.feed)}, ${sql.id(publications.announcements)}
    with (create_slot = false, slot_name = ${sql.lit(name)})`
    .execute(owner)
    .catch((error: unknown) => {
      throw explained(error, hubUrl)
    })
}

/** The hub may have another address by now, and more tables. */
async function renewSubscription(owner: Db, name: string, hubUrl: string): Promise<void> {
  try {
    await sql`alter subscription ${sql.id(name)} connection ${sql.lit(hubUrl)}`.execute(owner)
    await sql`alter subscription ${sql.id(name)} enable`.execute(owner)
    await sql`alter subscription ${sql.id(name)} refresh publication`.execute(owner)
  } catch (error) {
    throw explained(error, hubUrl)
  }
}

const insufficientPrivilege = '42501'
const mayNotSubscribe =
  'The role of this command may not make subscriptions. Set DATABASE_OWNER_URL to a superuser for it; from PostgreSQL 16 on a role does that has pg_create_subscription and the right to create in the database.'

/** PostgreSQL's own words may quote the address, and that has a password in it. */
function explained(error: unknown, hubUrl: string): unknown {
  if ((error as { code?: unknown }).code === insufficientPrivilege) return new UserError(mayNotSubscribe)
  if (!(error instanceof Error)) return error
  const [, password = ''] = /^\w+:\/\/[^:/?#@]*:([^@/]+)@/.exec(hubUrl) ?? []
  const said = password === '' ? error.message : error.message.replaceAll(password, '…')
  return new UserError(`PostgreSQL does not make the subscription: ${said}.`)
}

interface Subscription {
  name: string
  enabled: boolean
}

/** The subscription of this database; null: it has none. */
export async function findSubscription(db: Db): Promise<Subscription | null> {
  const { rows } = await sql<Subscription>`
    select subname::text as name, subenabled as enabled from pg_subscription
    where subdbid = (select oid from pg_database where datname = current_database())
      and subname like 'ratecard\\_cell\\_%'`.execute(db)
  return rows[0] ?? null
}

/** Leaves what stands at the hub alone. */
async function dropSubscription(owner: Db, name: string): Promise<void> {
  await sql`alter subscription ${sql.id(name)} disable`.execute(owner)
  await sql`alter subscription ${sql.id(name)} set (slot_name = none)`.execute(owner)
  await sql`drop subscription ${sql.id(name)}`.execute(owner)
}

const lookMs = 200
const sayEveryMs = 10_000
/** PostgreSQL tries a table again every five seconds: what fails as often fails for good. */
const copyErrorsMax = 4

export interface CopyState {
  ready: number
  all: number
  /** Of the subscription, since it was made. */
  errors: number
}

export async function readCopyState(db: Db): Promise<CopyState> {
  const { rows } = await sql<CopyState>`
    select count(*) filter (where r.srsubstate = 'r')::int as ready, count(*)::int as all,
      coalesce(max(s.apply_error_count + s.sync_error_count), 0)::int as errors
    from pg_subscription_rel r
    join pg_subscription sub on sub.oid = r.srsubid
    left join pg_stat_subscription_stats s on s.subid = sub.oid
    where sub.subdbid = (select oid from pg_database where datname = current_database())
      and sub.subname like 'ratecard\\_cell\\_%'`.execute(db)
  return rows[0]!
}

async function untilCopied(db: Db, say: (text: string) => void): Promise<void> {
  const before = (await readCopyState(db)).errors
  let saidMs = performance.now()
  for (;;) {
    const { ready, all, errors } = await readCopyState(db)
    if (all >= copied.length && ready === all) return
    if (errors - before >= copyErrorsMax)
      throw new UserError(
        "The hub's tables cannot be copied: PostgreSQL tries again and again and fails. Its log in this cell says why; when that is mended, run this again.",
      )
    if (performance.now() - saidMs > sayEveryMs) {
      say(`${ready} of ${copied.length} tables are here.`)
      saidMs = performance.now()
    }
    await setTimeout(lookMs)
  }
}

/**
 * From here on it is a cell. What was announced before it was one is not told; what was announced while it was away is.
 * Tables were copied one by one: pages that were read meanwhile are of no version there ever was, so each list gets one
 * that no hub has.
 * @returns whether it was a cell before
 */
async function finish(owner: Db): Promise<boolean> {
  return owner.transaction().execute(async (trx) => {
    const { rows } = await sql`
      insert into settings (name, value) values ('cell_joined_at', ratecard_now()::text)
      on conflict do nothing returning name`.execute(trx)
    const isFirst = rows.length > 0
    if (isFirst)
      await sql`
        insert into alert_fanouts (announcement_id) select id from announcements on conflict do nothing`.execute(
        trx,
      )
    await sql`update list_versions set version = -abs(version)`.execute(trx)
    await sql`update settings set value = 'follows' where name = 'feed'`.execute(trx)
    return !isFirst
  })
}

/**
 * Ends being a cell. Its prices stay, and from now on it writes its own.
 * @param hub null: it is gone
 * @returns the slot that still stands at the hub; null: none
 */
export async function leaveHub(owner: Db, hub: Db | null): Promise<{ slot: string | null }> {
  if ((await readFeedRole(owner)) === 'own') throw new UserError('This database is no cell.')
  const subscription = await findSubscription(owner)
  if (subscription) await dropSubscription(owner, subscription.name)
  const { rows } = await sql<{ name: string; value: string }>`
    select name, value from settings where name in ('cell_mark', 'cell_id')`.execute(owner)
  const known = new Map(rows.map(({ name, value }) => [name, value]))
  const slot = slotName(known.get('cell_mark') ?? '', known.get('cell_id') ?? '')
  const isDropped = hub !== null && (await dropSlot(hub, slot))
  await sql`delete from settings where name in ('feed', 'cell_id', 'cell_joined_at')`.execute(owner)
  return { slot: isDropped ? null : slot }
}

/** The hub needs a moment to notice that nobody reads it any more. */
async function dropSlot(hub: Db, name: string): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const slot = (await listSlots(hub)).find((one) => one.name === name)
    if (!slot) return true
    if (!slot.active) {
      await sql`select pg_drop_replication_slot(${name})`.execute(hub)
      return true
    }
    await setTimeout(lookMs)
  }
  return false
}
