import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { UserError } from '../platform/user-error.ts'
import type { Trx } from './connect.ts'
import {
  compareMigrations,
  executedMigrations,
  namesIn,
  storeHashes,
  whyOtherSchema,
  type MigrationState,
} from './compare-migrations.ts'
import type { MigrationFile } from './migrations.ts'
import { readStatements } from './schema-text.ts'

// Databases from before migrations were compared by their content. Until c9eae419 a change edited the file that makes the
// table. So a name says nothing of what is there: these databases are recognised by what they are.

/** A state of the schema that has other migrations, and whose rows are taken along. */
interface EarlierState {
  commit: string
  firstMigration: string
  /** All of its tables, those whose rows are taken along first, each after those that it refers to. */
  kept: readonly string[]
  left: readonly string[]
  views: readonly string[]
  functions: readonly string[]
  /** SHA-256 of the columns of these tables: see `hashColumns`. */
  columns: string
  /** SQL by column, where a row does not have it as it has to be; the table's name is that of the row. */
  values: Record<string, Record<string, string>>
  /** Rows that are not taken along: a condition by table. */
  where?: Record<string, string>
}

const accounts = [
  'settings',
  'auth_users',
  'accounts',
  'api_keys',
  'auth_credentials',
  'members',
  'invitations',
]
const money = ['audit_entries', 'subscriptions', 'packs', 'billing_customers', 'payment_events']
const lists = ['prices', 'price_versions', 'rate_cards', 'changes', 'change_alternatives']
const alerts = ['webhooks', 'alerts', 'deliveries', 'delivery_attempts']
const usage = ['usage_days', 'usage_ledger']

const functions = ['ratecard_now', 'end_batch', 'find_caller', 'daily_limit', 'add_entry', 'result_head',
  'reserve_together', 'reserve_units', 'release_units'] // prettier-ignore

// The address that alerts link to was not stored. `takeOver` says where the present servers are.
const alertValues = { public_url: "current_setting('ratecard.public_url')" }

const states: readonly EarlierState[] = [
  {
    commit: '04eb142',
    firstMigration: '0001_init',
    kept: [...accounts, ...money, 'feed_runs', ...lists, ...alerts, ...usage],
    // What sources had said has another form: the first run of each reads all of it again.
    left: ['feed_sources', 'feed_records', 'feed_holds', 'scheduled_prices', 'feed_versions', 'meter_lanes',
      'auth_sessions', 'auth_verifications', 'auth_rate_limits'], // prettier-ignore
    views: ['usage_entries'],
    functions: [...functions, 'move_feed_version', 'settle_batch'],
    columns: 'a3440d9a9981b451aca3791adc69f56acdc84c0f969397fb2426232bb1588807',
    values: {
      alerts: { ...alertValues, event: "'change.alert'" },
      // The clock of the run was not stored.
      price_versions: { observed_at: 'price_versions.updated_at' },
      // Checked since then.
      prices: {
        source_url: 'case when ratecard_is_web_address(prices.source_url) then prices.source_url end',
        effective_at: `case when prices.effective_at ~ '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z)?$' then prices.effective_at end`,
      },
      changes: {
        source_url: 'case when ratecard_is_web_address(changes.source_url) then changes.source_url end',
        title: 'left(changes.title, 200)',
        summary: 'left(changes.summary, 4000)',
      },
    },
    // Who has not proved a mailbox signs up again: since then there are no such users.
    where: {
      auth_users: 'auth_users.email_verified',
      auth_credentials: 'exists (select from auth_users u where u.id = auth_credentials.user_id)',
    },
  },
  {
    commit: 'b07c1cb8',
    firstMigration: '0001_accounts',
    kept: [...accounts, 'auth_two_factors', 'attempts', ...money, 'feed_runs', 'feed_sources', 'feed_claims',
      'claim_versions', 'feed_holds', 'scheduled_prices', ...lists, 'price_standings', 'change_evidence', ...alerts,
      ...usage], // prettier-ignore
    left: ['list_versions', 'meter_batchers', 'mailed_links', 'auth_sessions', 'auth_verifications'],
    views: ['usage_entries', 'current_subscriptions'],
    functions: [...functions, 'move_list_version', 'recover_batch', 'is_current', 'plan_bit', 'served_price',
      'ratecard_is_web_address'], // prettier-ignore
    columns: '87cfe7c4eab82ffeb40b89c17d69132b3fd199f07d83efe841294744ab16400e',
    values: { alerts: alertValues },
  },
]

/** The last migration of the schema that those states are brought to. It never changes, so what follows is known. */
const bridgedTo = '0007_metering'

/**
 * Makes a database one that this program's migrations go on with, or refuses. In the transaction, which holds the lock of
 * migrations. Returns the names of the migrations that ran.
 * @param publicUrl where the present servers are reached
 */
export async function takeOver(
  trx: Trx,
  known: readonly MigrationFile[],
  publicUrl: string,
): Promise<string[]> {
  const migrations = await compareMigrations(trx, known)
  if (whyOtherSchema(migrations) === null) return []
  const state = await recognise(trx)
  if (state) return bridge(trx, state, known, publicUrl)
  const differing = await findDifferences(trx, migrations, known)
  if (differing.length > 0)
    throw new UserError(
      `The database was made by another state of Ratecard, which this program cannot upgrade: it differs in ${differing.slice(0, 4).join(', ')}${differing.length > 4 ? ` and ${differing.length - 4} more` : ''}. Nothing was changed. Use the program that made it: docs/upgrading.md lists the states that can be upgraded.`,
    )
  const unchecked = namesIn(migrations, 'unchecked')
  await storeHashes(
    trx,
    known.filter(({ name }) => unchecked.includes(name)),
  )
  return []
}

async function recognise(trx: Trx): Promise<EarlierState | null> {
  const [first] = await executedMigrations(trx)
  for (const state of states) {
    if (first?.name !== state.firstMigration || first.hash !== null) continue
    if ((await hashColumns(trx, [...state.kept, ...state.left])) === state.columns) return state
  }
  return null
}

/** Names, types and the order of columns: what rows are made of. */
async function hashColumns(trx: Trx, tables: readonly string[]): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${tables}::text[])
    order by c.relname collate "C", a.attnum`.execute(trx)
  return createHash('sha256')
    .update(rows.map(({ text }) => text).join('\n'))
    .digest('hex')
}

/** Sets the old tables aside, makes those of `bridgedTo`, and copies the rows. */
async function bridge(
  trx: Trx,
  state: EarlierState,
  known: readonly MigrationFile[],
  publicUrl: string,
): Promise<string[]> {
  const { kept, values, where = {} } = state
  const files = known.slice(0, known.findIndex(({ name }) => name === bridgedTo) + 1)
  const names = files.map(({ name }) => name)
  await sql`select set_config('ratecard.public_url', ${publicUrl}, true)`.execute(trx)
  await setAside(trx, state)
  await requireNoDependents(trx)
  for (const { text } of files) await sql.raw(text).execute(trx)
  for (const table of kept) await copyRows(trx, table, values[table] ?? {}, where[table] ?? 'true')
  await sql`drop schema ${sql.id(aside)} cascade`.execute(trx)
  await sql.raw(`analyze ${kept.join(', ')}`).execute(trx)
  await sql`delete from kysely_migration`.execute(trx)
  await sql`
    insert into kysely_migration (name, timestamp)
    select name, ${new Date().toISOString()}::text from unnest(${names}::text[]) name`.execute(trx)
  await storeHashes(trx, files)
  return names
}

const aside = 'ratecard_before'

/** What others have put beside our tables stays where it is. */
async function setAside(trx: Trx, { kept, left, views, functions }: EarlierState): Promise<void> {
  const { rows } = await sql<{ statement: string }>`
    select format('alter function %s set schema ${sql.raw(aside)}', oid::regprocedure) as statement
    from pg_proc where pronamespace = current_schema()::regnamespace and proname = any(${functions}::text[])
    union all
    select format('alter statistics %I set schema ${sql.raw(aside)}', stxname) from pg_statistic_ext
    where stxrelid::regclass::text = any(${kept}::text[])`.execute(trx)
  // Functions before the tables that they name as types.
  const statements = [
    `create schema ${aside}`,
    ...rows.map(({ statement }) => statement),
    ...views.map((view) => `alter view ${view} set schema ${aside}`),
    ...[...kept, ...left].map((table) => `alter table ${table} set schema ${aside}`),
  ]
  for (const statement of statements) await sql.raw(statement).execute(trx)
}

/** Views of operators on our tables would go with them. */
async function requireNoDependents(trx: Trx): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct pg_describe_object(classid, objid, 0) as name
    from pg_depend, pg_identify_object(classid, objid, objsubid) o
    where refclassid = 'pg_class'::regclass and deptype = 'n' and o.identity not like ${`%${aside}.%`}
      and refobjid in (select oid from pg_class where relnamespace = to_regnamespace(${aside}))`.execute(trx)
  if (rows.length === 0) return
  throw new UserError(
    `The tables of Ratecard are replaced by new ones, and others depend on them: ${rows.map(({ name }) => name).join(', ')}. Drop those, migrate, and make them again. Nothing was changed.`,
  )
}

async function copyRows(
  trx: Trx,
  table: string,
  values: Record<string, string>,
  where: string,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select n.attname as name from pg_attribute n
    where n.attrelid = ${table}::regclass and n.attnum > 0 and n.attgenerated = '' and exists (
      select from pg_attribute o
      where o.attrelid = ${`${aside}.${table}`}::regclass and o.attname = n.attname and not o.attisdropped
    )`.execute(trx)
  const columns = [...new Set([...rows.map(({ name }) => name), ...Object.keys(values)])]
  const selected = columns.map((column) => values[column] ?? `${table}.${column}`)
  await sql
    .raw(
      `insert into ${table} (${columns.join(', ')}) select ${selected.join(', ')} from ${aside}.${table} where ${where}`,
    )
    .execute(trx)
}

const scratch = 'ratecard_compared'

/** What the database lacks of what its migrations make in this program, by its name. It may have more. */
async function findDifferences(
  trx: Trx,
  migrations: readonly MigrationState[],
  known: readonly MigrationFile[],
): Promise<string[]> {
  const other = namesIn(migrations, 'other')
  if (other.length > 0) return other.map((name) => `the migration ${name}`)
  const there = new Set((await readStatements(trx)).flatMap(splitStatement))
  const ran = new Set(migrations.filter(({ state }) => state !== 'pending').map(({ id }) => id))
  await sql
    .raw(`savepoint compare; create schema ${scratch}; set local search_path = ${scratch}`)
    .execute(trx)
  for (const { text } of known.filter(({ name }) => ran.has(name))) await sql.raw(text).execute(trx)
  const wanted = (await readStatements(trx)).map((text) => text.replaceAll(`${scratch}.`, 'public.'))
  await sql.raw('rollback to savepoint compare').execute(trx)
  return wanted
    .flatMap(splitStatement)
    .filter((part) => !there.has(part))
    .map((part) => nameOf.exec(part)?.[1]?.toLowerCase().replace('public.', '') ?? part)
}

const nameOf = /^(?:create (?:or replace )?(?:unique )?)?((?:comment on table|\w+) [\w.]+)/i

/** Each index by itself, and tables without settings of their storage: operators add to them. */
function splitStatement(statement: string): string[] {
  if (/^create (?:unique )?index/i.test(statement))
    return statement.split(/;\n?/).filter((part) => part !== '')
  return [statement.replace(/ with \([^()]*\);$/, ';')]
}
