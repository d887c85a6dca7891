import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readExportResources, writeExport, type ExportFile } from '../src/exports/write-exports.ts'
import { runFeed } from '../src/ingest/run/run-feed.ts'
import { withSnapshot } from '../src/snapshot/read-snapshot.ts'
import { newestFiles, priceDataDir, priceInput, skipTitle } from './support/price-files.ts'
import { useDatabase } from './support/postgres.ts'
import { useCommands } from './support/use-commands.ts'

// The questions of docs/duckdb.md, answered by DuckDB from the Parquet file, and by the database that the server serves
// from: the same rows.

type Row = Record<string, unknown>

/** The same question to the tables of the server, by the heading of the document. */
const asked: Record<string, string> = {
  'Which platform sells a model for the least?': `
    select platform, region, input_per_mtok, output_per_mtok from prices left join price_standings using (resource_id)
    where product_id = 'openai/gpt-4o' and currency = 'USD' and gone_since is null and input_per_mtok > 0
    order by input_per_mtok, output_per_mtok, resource_id collate "C" limit 10`,
  'What does a model cost with three tokens of input for one of output?': `
    select resource_id, (3 * input_per_mtok + output_per_mtok) / 4 as blended
    from prices left join price_standings using (resource_id)
    where currency = 'USD' and gone_since is null and input_per_mtok > 0 and output_per_mtok > 0
    order by blended, resource_id collate "C" limit 20`,
  'How much less does input from the cache cost?': `
    select vendor, count(*) as prices,
      percentile_cont(0.5) within group (order by (1 - cached_input_per_mtok / input_per_mtok)::float8) as discount
    from prices where input_per_mtok > 0 and cached_input_per_mtok is not null
    group by vendor having count(*) >= 5`,
  'Which models cost most?': `
    select resource_id, output_per_mtok from prices
    where currency = 'USD' and modality = 'llm' and output_per_mtok is not null
    order by output_per_mtok desc, resource_id collate "C" limit 10`,
  'How many platforms sell a model?': `
    select product_id, count(distinct platform) as platforms from prices left join price_standings using (resource_id)
    where product_id is not null and gone_since is null
    group by product_id order by platforms desc, product_id collate "C" limit 10`,
  'Which models retire next?': `
    select retires_on::text, resource_id from prices join price_standings using (resource_id)
    where retires_on >= (now() at time zone 'UTC')::date`,
  "How far are other platforms from the maker's own price?": `
    select host.product_id, host.platform, host.input_per_mtok / maker.input_per_mtok as times
    from prices host join prices maker on maker.product_id = host.product_id and maker.currency = host.currency
    where maker.platform = maker.vendor and maker.region is null and maker.input_per_mtok > 0
      and host.platform <> host.vendor and host.input_per_mtok is not null
    order by times desc, host.resource_id collate "C", maker.resource_id collate "C" limit 20`,
  "Which share of a vendor's prices is confirmed?": `
    select vendor, count(*) as prices, avg(is_confirmed::int) as confirmed
    from prices join price_standings using (resource_id) where is_confirmed is not null
    group by vendor order by prices desc, vendor collate "C" limit 20`,
  'What does a batch save?': `
    select resource_id, 1 - amount / input_per_mtok as discount from prices join rate_cards using (resource_id)
    where meter = 'input_tokens' and service_tier = 'batch' and variant is null and threshold is null
      and hours is null and input_per_mtok > 0`,
  'What does a long context cost more?': `
    select resource_id, threshold as above, amount / input_per_mtok as times
    from prices join rate_cards using (resource_id)
    where meter = 'input_tokens' and threshold is not null and service_tier is null and variant is null
      and hours is null and input_per_mtok > 0`,
}

describe.skipIf(priceDataDir === undefined)(skipTitle('questions to the Parquet file'), () => {
  const database = useDatabase()
  const { folder } = useCommands(database)
  let duckdb: DuckDBConnection
  let file: ExportFile
  let blocks: Map<string, string>
  beforeAll(async () => {
    for (const { source, path, at } of newestFiles)
      await runFeed(database.db, { source, input: priceInput(path), observedAt: at, alerts: null })
    file = writeExport('parquet', await withSnapshot(database.db, null, readExportResources), null)
    const path = join(folder, 'prices.parquet')
    await writeFile(path, file.content)
    duckdb = await (await DuckDBInstance.create(':memory:')).connect()
    const guide = await readFile(new URL('../../../docs/duckdb.md', import.meta.url), 'utf8')
    const found = guide.matchAll(/^## (.+)\n\n```sql\n([^`]+)```/gm)
    blocks = new Map([...found].map(([, title, text]) => [title!, text!.replaceAll('prices.parquet', path)]))
  }, 300_000)
  afterAll(() => duckdb?.disconnectSync())

  const ask = async (text: string): Promise<Row[]> =>
    (await duckdb.runAndReadAll(text)).getRowObjectsJS().map(plain)

  test('the document asks them all', () => {
    expect([...blocks.keys()].sort()).toEqual(Object.keys(asked).sort())
  })

  test.each(Object.keys(asked))('%s', async (title) => {
    const { rows } = await sql.raw<Row>(asked[title]!).execute(database.db)
    const answer = await ask(blocks.get(title)!)
    console.log(title, answer.length, answer.slice(0, 3))
    expect(answer.length).toBeGreaterThan(0)
    expect(sorted(answer)).toEqual(sorted(rows.map(plain)))
  })

  test('the exact amounts are those of the server', async () => {
    const { rows } = await sql<Row>`select count(*) as prices, sum(input_per_mtok)::text as input,
      sum(output_per_mtok)::text as output from prices`.execute(database.db)
    const sums =
      await ask(`SELECT count(*) AS prices, sum(CAST(input_per_mtok_text AS DECIMAL(21, 9)))::VARCHAR AS input,
      sum(CAST(output_per_mtok_text AS DECIMAL(21, 9)))::VARCHAR AS output FROM '${join(folder, 'prices.parquet')}'`)
    expect(sums).toEqual(rows.map(plain))
    console.log(`${file.content.length} bytes, ${file.report.rows} rows`)
  })
})

/** Counts and amounts as numbers of nine digits, days as text: the two databases divide differently. */
function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString().slice(0, 10)]
      const isNumber = typeof value !== 'string' || /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(value)
      return [name, isNumber && value !== null ? Number(Number(value).toPrecision(9)) : value]
    }),
  )
}

/** In an order of its own: of equal rows databases may have either first. */
function sorted(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}
