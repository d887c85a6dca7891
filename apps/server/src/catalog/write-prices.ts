import { sql } from 'kysely'
import type { Trx } from '../database/connect.ts'
import { lockList } from '../database/writer-lock.ts'
import { rowCheck } from '../platform/row-check.ts'
import { mendRecord } from './price-check.ts'
import { servedColumns, type PriceRecord } from './price-record.ts'
import { isAmount } from './price-records.ts'
import type { Rate } from './rate-card.ts'

export interface PriceWrite {
  record: PriceRecord
  /** The source of the record. */
  source: string
  /** Rates that fit no column; null: the stored ones stay. */
  rates: readonly Rate[] | null
}

export interface WriteOptions {
  /** The run that writes; null: none. */
  runId: string | null
  /** The clock of the run, UTC: since when its states are known. Not `updated_at`, which is the wall clock. */
  observedAt: string
}

// Rows per statement: keeps a parameter well under a megabyte.
const chunkRows = 2_000

/**
 * Replaces the served prices by these. Only a record whose served values move gets a new `updated_at`, each its own
 * microsecond, in the order given; `price_versions` keeps every state that was served.
 * Readings were checked against the contract before. Prices of another writer are checked here: values that cannot be
 * served are left out.
 * @returns the ids of the records that moved
 */
export async function writePrices(
  trx: Trx,
  writes: readonly PriceWrite[],
  { runId, observedAt }: WriteOptions,
): Promise<string[]> {
  if (writes.length === 0) return []
  const check = await rowCheck()
  const shown = writes.flatMap((write) => {
    const { row } = mendRecord(check, write.record)
    return row === null ? [] : [{ ...write, record: row }]
  })
  const moved: string[] = []
  const first = await lockList(trx, 'prices')
  const columns = sql.join(servedColumns.map((column) => sql.ref(column)))
  const recordType = sql.join(
    servedColumns.map((column) => sql`${sql.ref(column)} ${sql.raw(isAmount(column) ? 'numeric' : 'text')}`),
  )
  const assignments = sql.join(
    servedColumns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
  )
  const isMoved = sql.join(
    servedColumns.map((column) => sql`p.${sql.ref(column)} is distinct from excluded.${sql.ref(column)}`),
    sql` or `,
  )
  for (let start = 0; start < shown.length; start += chunkRows) {
    const chunk = shown.slice(start, start + chunkRows)
    const rows = chunk.map(({ record, source }) => ({ ...record, source }))
    const { rows: written } = await sql<{ resource_id: string }>`
      with written as (
        insert into prices as p (${columns}, source, run_id, updated_at)
        select ${columns}, source, ${runId}::text,
          ${first}::timestamptz + (${start}::bigint + place - 1) * interval '1 microsecond'
        from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (${recordType}, source text))
          with ordinality as record (${columns}, source, place)
        on conflict (resource_id) do update
          set ${assignments}, source = excluded.source, run_id = excluded.run_id, updated_at = excluded.updated_at
          where ${isMoved}
        returning p.resource_id, p.updated_at
      ), kept as (
        insert into price_versions (resource_id, updated_at, observed_at, record, source, run_id)
        select written.resource_id, written.updated_at, ${observedAt}::timestamptz, stated.value - 'source',
          stated.value ->> 'source', ${runId}::text
        from written
        join jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as stated
          on stated.value ->> 'resource_id' = written.resource_id
      )
      select resource_id from written`.execute(trx)
    moved.push(...written.map((row) => row.resource_id))
    await writeRateCards(trx, chunk)
  }
  return moved
}

/** Takes prices off the list. `price_versions` keeps every state in which they were served. */
export async function removePrices(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await lockList(trx, 'prices')
  await trx
    .deleteFrom('rate_cards')
    .where('resource_id', '=', sql<string>`any(${[...ids]})`)
    .execute()
  await trx
    .deleteFrom('prices')
    .where('resource_id', '=', sql<string>`any(${[...ids]})`)
    .execute()
}

async function writeRateCards(trx: Trx, writes: readonly PriceWrite[]): Promise<void> {
  const cards = writes.flatMap(({ record, rates }) => (rates ? [{ id: record.resource_id, rates }] : []))
  if (cards.length === 0) return
  const ids = cards.map(({ id }) => id)
  await trx
    .deleteFrom('rate_cards')
    .where('resource_id', '=', sql<string>`any(${ids})`)
    .execute()
  const rows = cards.flatMap(({ id, rates }) => rates.map((rate) => ({ resource_id: id, ...rate })))
  if (rows.length === 0) return
  await sql`
    insert into rate_cards (resource_id, meter, unit, service_tier, variant, threshold, hours, amount)
    select resource_id, meter, unit, service_tier, variant, threshold, hours, amount
    from jsonb_populate_recordset(null::rate_cards, ${JSON.stringify(rows)}::jsonb)`.execute(trx)
}
