import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import ts from 'typescript'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { reserveArguments, type UnitItem } from '../../src/features/metering/unit-store.ts'
import { readPriceList } from '../../src/catalog/price-store.ts'
import { connect } from '../../src/database/connect.ts'
import { priceRecord, storePrices } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'

// Values reach PostgreSQL as parameters. The text of a statement contains only constants of ours, or checked numbers:
// each part that is not a literal is listed here, with the reason.

const src = fileURLToPath(new URL('../../src', import.meta.url))
const files = (await readdir(src, { recursive: true }))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.split(sep).join('/'))

const reasons: Record<string, string> = {
  'database/aged-rows.ts sql.table(table)': 'the names of tables that are forgotten, each a literal beside its store',
  'database/aged-rows.ts sql.table(rows.table)': 'the same',
  'database/list-text.ts sql.lit(limit)': 'a number, see below',
  'database/writer-lock.ts sql.lit(lists[list])': 'a constant',
  'database/writer-lock.ts sql.table(list)': 'a key of that constant',
  'database/migrate.ts sql.raw(text)': 'a migration',
  'database/migrations.ts sql.raw(text)': 'a migration',
  'database/build-index.ts sql.raw(text)': 'a migration',
  'database/earlier-states.ts sql.raw(text)': 'a migration',
  'database/earlier-states.ts sql.id(aside)': 'a constant of its file',
  'database/earlier-states.ts sql.raw(aside)': 'the same',
  "database/earlier-states.ts sql.raw(`analyze ${kept.join(', ')}`)": 'tables of constants',
  'database/earlier-states.ts sql.raw(statement)': 'made by PostgreSQL from its catalogue, and of constants',
  'database/build-index.ts sql.id(index)': 'a name in a migration',
  'features/cells/cell.ts sql.id(name)': 'a mark that was checked, and hexadecimal digits; quoted as a name',
  'features/cells/cell.ts sql.lit(name)': 'the same, quoted as a text',
  'features/cells/cell.ts sql.lit(hubUrl)': "the operator's own setting, quoted as a text: no parameter can stand there",
  'features/cells/cell.ts sql.id(publications.feed)': 'a constant',
  'features/cells/cell.ts sql.id(publications.announcements)': 'a constant',
  'features/cells/hub.ts sql.id(role)': "the operator's own option, quoted as a name, of a role that was found by it",
  'features/cells/hub.ts sql.id(name)': 'constants of its file',
  'features/cells/hub.ts sql.lit(operations)': 'constants of its file',
  'features/cells/hub.ts sql.table(name)': 'constants of features/cells/names.ts',
  'features/accounts/api-key-store.ts sql.lit(accountId)': 'an id that was found, quoted as a text: a cursor takes no parameter',
  'features/accounts/elsewhere.ts sql.ref(`${table}.account_id`)': 'constants of its callers',
  'features/cells/account-tables.ts sql.lit(accountId)': 'an id that was found, as above',
  'features/cells/move-rows.ts sql.lit(id)': 'ids of users that were read, quoted as texts',
  'features/cells/move-rows.ts sql.lit(rowsAtATime)': 'a constant',
  'features/cells/move-rows.ts sql.ref(`${prefix}${column}`)': 'columns of our tables, from the catalogue',
  'features/cells/move-rows.ts sql.ref(`r.${column}`)': 'the same',
  'features/cells/move-rows.ts sql.table(name)': 'constants of features/cells/account-tables.ts',
  'features/webhooks/delivery-store.ts sql.lit(accountId)': 'an id that was found, as above',
  'features/members/expired-rows.ts sql.table(table)': 'constants of its file',
  'features/webhooks/delivery-store.ts sql.ref(`${table}.account_id`)': 'constants of its file',
  'features/changes/change-store.ts sql.lit(limit + 1)': 'a number, see below',
  'features/changes/change-store.ts sql.lit(minSeverity)': 'a number, see below',
  'features/changes/change-store.ts sql.lit(minSeverity + index)': 'a number, see below',
  'features/changes/change-store.ts sql.lit(access)': "a plan's terms",
  'catalog/price-store.ts sql.lit(limit + 1)': 'a number, see below',
  'features/price-reports/report-store.ts sql.lit(reportLock)': 'a constant',
  'ingest/publish/feed-store.ts sql.lit(feedLock)': 'a constant',
  'ingest/review/review-mail.ts sql.lit(mailLock)': 'a constant',
  'jobs/notices.ts sql.lit(noticeLock)': 'a constant',
  'ingest/review/review-case.ts sql.ref(`prices.${column}`)': 'a column of a constant',
  'queue/queue-schema.ts sql.table(`${schema}.version`)': 'a constant',
  'queue/queue-schema.ts sql.lit(installLock)': 'a constant',
  'queue/queue-schema.ts sql.raw(getConstructionPlans(schema))': "pg-boss's own statements for a constant name",
  'queue/queue-schema.ts sql.raw(getMigrationPlans(schema, version))': 'the same, from a version that pg-boss wrote',
  'database/roles.ts sql.lit(grantLock)': 'a constant',
  'database/roles.ts sql.raw(statement)': 'made by PostgreSQL from its catalogue, names quoted by format(%I)',
} // prettier-ignore

/** Calls that write their argument into the statement, such as `sql.raw(x)`, and how they are spelled. */
async function writtenIn(file: string): Promise<string[]> {
  const source = ts.createSourceFile(
    file,
    await readFile(join(src, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(source)
      const argument = node.arguments[0]
      if (/^sql\.(raw|lit|table|id)$/.test(callee) && argument && !isLiteral(argument)) {
        found.push(`${file} ${callee}(${argument.getText(source)})`)
      }
      // The name of a column: identifiers are quoted, so a template is the only way out.
      if (callee === 'sql.ref' && argument && ts.isTemplateExpression(argument)) {
        found.push(`${file} ${callee}(${argument.getText(source)})`)
      }
      // `sql` is a tag: called with a text it would take that text as it is.
      if (callee === 'sql' || callee === 'CompiledQuery.raw') {
        if (argument && !isLiteral(argument)) found.push(`${file} ${callee}(${argument.getText(source)})`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isLiteral(node: ts.Expression): boolean {
  if (ts.isConditionalExpression(node)) return isLiteral(node.whenTrue) && isLiteral(node.whenFalse)
  return ts.isStringLiteral(node) || ts.isNumericLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
}

test('what is written into statements is a literal, or stands above with its reason', async () => {
  const found = (await Promise.all(files.map(writtenIn))).flat()
  expect(found.filter((one) => !(one in reasons))).toEqual([])
  expect(Object.keys(reasons).filter((one) => !found.includes(one))).toEqual([])
})

test('nothing in the database runs with the rights of its owner for somebody else', async () => {
  const folder = join(src, 'database/migrations')
  for (const file of await readdir(folder)) {
    expect(await readFile(join(folder, file), 'utf8'), file).not.toMatch(/security\s+definer/i)
  }
})

describe('on a database', () => {
  const database = useDatabase()
  beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

  const hostile = [
    "' or 1=1 --",
    "'; drop table prices; --",
    '$1',
    '\\',
    '"',
    "a' || pg_sleep(10) || '",
    '{1,2}',
    '%',
    '_',
    'null',
  ]

  test.each(hostile)('%j is a value wherever it stands', async (text) => {
    const range = { cursor: null, limit: 10 }
    for (const filter of [{ vendor: text }, { platform: text }, { product: text }, { modality: text }]) {
      expect((await readPriceList(database.db, filter, range)).rows).toEqual([])
    }
    const cursor = { updatedAt: '2999-01-01T00:00:00.000000Z', id: text }
    expect((await readPriceList(database.db, {}, { cursor, limit: 10 })).rows.join()).toContain('acme:1')
  })

  test('functions of ours run as who calls them', async () => {
    const { rows } = await sql<{ name: string }>`
      select proname as name from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
      where nspname = 'public' and prosecdef`.execute(database.db)
    expect(rows).toEqual([])
  })

  test('however many pages are asked for in however many ways, few statements stay on a connection', async () => {
    const pool = connect({ connectionString: database.url, connectionsMax: 1 })
    onTestFinished(() => pool.destroy())
    for (let n = 1; n <= 150; n += 1) {
      const filter = { ...(n % 2 && { vendor: `v${n}` }), ...(n % 3 && { platform: `p${n}` }), ...(n % 5 && { modality: 'llm' }) }
      await readPriceList(pool, filter, { cursor: n % 7 ? null : { updatedAt: '2026-01-01T00:00:00.000000Z', id: `${n}` }, limit: n })
    }
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_prepared_statements`.execute(pool)
    expect(rows[0]?.count).toBeLessThan(20)
  }) // prettier-ignore
})

test('the arrays of the meter, which quote nothing, hold hex, names of ours and numbers', () => {
  const item: UnitItem = {
    keyHash: 'ab'.repeat(32),
    endpoint: 'prices',
    plans: 31,
    version: '7',
    want: 1,
  }
  const limits = { free: 1, developer: 2, scale: 3, team: 4, enterprise: 5 }
  const texts = reserveArguments(null, limits, [item, { ...item, version: null }]).slice(2) as string[]
  for (const text of texts) expect(text).toMatch(/^\{("\\\\x[0-9a-f]{64}"|[a-z]+|\d+)(,("\\\\x[0-9a-f]{64}"|[a-z]+|\d+))*\}$/)
}) // prettier-ignore
