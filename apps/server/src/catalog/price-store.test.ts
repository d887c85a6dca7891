import type { Price } from '@ratecard/contract'
import fc from 'fast-check'
import { sql, type RawBuilder } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { priceRecord, storePrices } from '../../test/support/actors.ts'
import { useDatabase } from '../../test/support/postgres.ts'
import { utcText } from '../database/keyset.ts'
import { amountColumns, servedColumns } from './price-record.ts'
import { readPriceList, type PriceFilter } from './price-store.ts'

const database = useDatabase()

// Every way in which JSON may be written differently: escapes, and amounts with all digits there are.
const texts = [
  '"',
  '\\',
  '/',
  '\b\f\n\r\t\u0001\u001f',
  '\u007f\u0080\u2028\u2029',
  'ü 漢 \u{1f600} \ufffd',
  '<&>',
]
const amounts = [
  ...['0', '1', '10', '100', '0.1', '0.15', '123456789.123', '999999999', '0.000000001', '0.000000012'],
  ...['0.00000012', '0.000000999', '0.000001', '0.0000012', '0.00001', '0.0001', '0.001', '1234.5', '1e8'],
]
beforeAll(() =>
  storePrices(
    database.db,
    Array.from({ length: 40 }, (_, n) =>
      priceRecord({
        resource_id: `acme:${n}:${texts[n % texts.length]}`,
        product_id: n % 3 === 0 ? null : `acme/${texts[n % texts.length]}`,
        vendor: n % 2 === 0 ? 'acme' : 'zeta',
        platform: n % 5 === 0 ? null : 'acme',
        modality: n % 4 === 0 ? 'image' : 'llm',
        region: texts[(n + 1) % texts.length] ?? null,
        source_url: n % 2 === 0 ? null : 'https://acme.example/a?b=1&c="2"',
        effective_at: n % 3 === 0 ? '2026-01-31' : n % 3 === 1 ? null : '2026-02-28T23:59:59.000001Z',
        ...Object.fromEntries(
          amountColumns.map((column, index) => [column, amounts[(n * 7 + index) % amounts.length] ?? null]),
        ),
        ...(n % 6 === 0 && Object.fromEntries(amountColumns.map((column) => [column, null]))),
      }),
    ),
  ),
)

/** A stored decimal as a JSON number: all its digits, no zeros at the end, no exponent. */
function decimal(stored: string): unknown {
  return rawJson(stored.replace(/\.?0*$/, ''))
}
// TypeScript does not know it yet.
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown }

/** The rows as they stand in the table, put together here. */
async function expectedRows(filter: PriceFilter): Promise<string[]> {
  let query = database.db
    .selectFrom('prices')
    .select([...servedColumns, utcText('updated_at').as('updated_at_text')])
    .orderBy('updated_at', 'desc')
  if (filter.vendor !== undefined) query = query.where('vendor', '=', filter.vendor)
  if (filter.product !== undefined) query = query.where('product_id', '=', filter.product)
  if (filter.platform !== undefined) query = query.where('platform', '=', filter.platform)
  if (filter.modality !== undefined) query = query.where('modality', '=', filter.modality)
  const rows = await query.execute()
  return rows.map(({ updated_at_text: updatedAt, ...row }) => {
    const numbers = amountColumns.map((column) => [
      column,
      row[column] === null ? null : decimal(row[column]),
    ])
    return JSON.stringify({
      ...row,
      ...Object.fromEntries(numbers),
      effective_at: row.effective_at ?? updatedAt,
      updated_at: updatedAt,
    })
  })
}

/** Each field of a price in the order of the contract. */
const priceFields: Record<keyof Price, RawBuilder<unknown>> = {
  ...(Object.fromEntries(servedColumns.map((column) => [column, sql.ref(column)])) as Record<
    (typeof servedColumns)[number],
    RawBuilder<unknown>
  >),
  // Decimals as they are, without the zeros at the end that fill up the column's scale.
  ...(Object.fromEntries(
    amountColumns.map((column) => [column, sql`trim_scale(${sql.ref(column)})`]),
  ) as Record<(typeof amountColumns)[number], RawBuilder<unknown>>),
  effective_at: sql`coalesce(effective_at, updated_at_text)`,
  updated_at: sql`updated_at_text`,
}

describe('a page of prices, as PostgreSQL writes it', () => {
  test('is to the byte the JSON of the rows, for every filter, limit and place', async () => {
    const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values)
    const filters = fc.record({
      vendor: maybe('acme', 'zeta', 'none'),
      product: maybe('acme/"', 'acme/<&>'),
      platform: maybe('acme'),
      modality: maybe('llm', 'image'),
    })
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 41 }), async (filter, limit) => {
        const expected = await expectedRows(filter)
        for (let from = 0, cursor = null; ; from += limit) {
          const page = await readPriceList(database.db, filter, { cursor, limit })
          expect(page.rows).toEqual(expected.slice(from, from + limit))
          expect(page.next !== null).toBe(from + limit < expected.length)
          if (page.next === null) break
          cursor = page.next
        }
      }),
      { numRuns: 40 },
    )
  })

  test('has every amount with all its digits, and JavaScript reads the same number', async () => {
    const decimals = fc
      .tuple(
        fc.integer({ min: 0, max: 999_999 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 999_999 }),
      )
      .map(([whole, zeros, rest]) =>
        `${whole}.${'0'.repeat(zeros)}${rest}`.slice(0, String(whole).length + 10),
      )
    await fc.assert(
      fc.asyncProperty(fc.array(decimals, { minLength: 6, maxLength: 6 }), async (values) => {
        const [a, b, c, d, e, f] = values
        await sql`
          update prices set input_per_mtok = ${a}::numeric, output_per_mtok = ${b}::numeric,
            cached_input_per_mtok = ${c}::numeric, image_per_unit = ${d}::numeric,
            audio_per_min = ${e}::numeric, video_per_sec = ${f}::numeric
          where resource_id like 'acme:0:%'`.execute(database.db)
        const expected = await expectedRows({})
        const page = await readPriceList(database.db, {}, { cursor: null, limit: 100 })
        expect(page.rows).toEqual(expected)
        const row = JSON.parse(page.rows.at(-1) ?? '') as Record<string, unknown>
        expect(amountColumns.map((column) => row[column])).toEqual(values.map(Number))
      }),
      { numRuns: 60 },
    )
  })

  test('has the fields of the contract in their order, whatever the settings of the session that wrote the row', async () => {
    const fields = Object.entries(priceFields).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
    const rows = await database.db.transaction().execute(async (trx) => {
      for (const setting of [
        "timezone = 'Asia/Kathmandu'",
        "datestyle = 'German'",
        'extra_float_digits = -10',
      ])
        await sql`set local ${sql.raw(setting)}`.execute(trx)
      await sql`update prices set region = region`.execute(trx)
      const { rows } = await sql<{ served: string; fields: string }>`
        select price.served, row_to_json(record)::text as fields
        from (select *, ${utcText('updated_at')} as updated_at_text from prices) as price,
          lateral (select ${sql.join(fields)}) as record`.execute(trx)
      return rows
    })
    expect(rows).toHaveLength(40)
    for (const { served, fields } of rows) expect(served).toBe(fields)
  })

  test('has the version of the list, which moves with every write and with nothing else', async () => {
    const versionOf = async () => (await readPriceList(database.db, {}, { cursor: null, limit: 1 })).version
    const first = await versionOf()
    expect(await versionOf()).toBe(first)
    await sql`update changes set title = title`.execute(database.db)
    expect(await versionOf()).toBe(first)
    await sql`update prices set region = 'eu' where vendor = 'zeta'`.execute(database.db)
    const second = await versionOf()
    expect(BigInt(second)).toBeGreaterThan(BigInt(first))
    await storePrices(database.db, [priceRecord({ resource_id: 'zeta:new' })])
    expect(BigInt(await versionOf())).toBeGreaterThan(BigInt(second))
  })
})
