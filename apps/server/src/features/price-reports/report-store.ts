import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { notFound } from '../feature-error.ts'
import { amountColumns, type AmountColumn, type DecimalText } from '../../catalog/price-record.ts'
import { readRecords } from '../../catalog/price-records.ts'

// Prices that readers say are wrong. Strangers can fill this table, so it has an end, and nothing of it is published.

export const reportDays = 90
export const openReportsMax = 200
const ofPriceMax = 5
const reportLock = 7_310_017

export const oldReports: AgedRows = { table: 'price_reports', at: 'last_at' }

export interface NewReport {
  resource_id: string
  should_be: string
  source_url: string
  email: string | null
}

/**
 * Notes a report, or counts it with an equal one. One that an operator has closed stays closed.
 * @returns whether there was room for it
 */
export async function noteReport(trx: Trx, report: NewReport): Promise<boolean> {
  const { resource_id: price, should_be: text, source_url: url, email } = report
  // One after the other, so that they are counted.
  await sql`select pg_advisory_xact_lock(${sql.lit(reportLock)})`.execute(trx)
  const same = sql`resource_id = ${price} and lower(should_be) = lower(${text}) and source_url = ${url}`
  const { rows } = await sql`
    insert into price_reports as r (id, resource_id, should_be, source_url, email)
    select ${newId('report')}, ${price}, ${text}, ${url}, ${email}
    from (
      select count(*) as everywhere, count(*) filter (where resource_id = ${price}) as of_price
      from price_reports where closed_at is null
    ) waiting
    where everywhere < ${openReportsMax} and of_price < ${ofPriceMax}
      or exists (select from price_reports where ${same})
    on conflict (resource_id, lower(should_be), source_url) do update set
      times = r.times + 1,
      last_at = case when r.closed_at is null then ratecard_now() else r.last_at end,
      email = coalesce(r.email, excluded.email)
    returning 1`.execute(trx)
  return rows.length > 0
}

/** Those that wait, the one that was said most often first, each with what is served now. */
export async function listReports(db: Db) {
  const reports = await db
    .selectFrom('price_reports')
    .select(['id', 'resource_id', 'should_be', 'source_url', 'email', 'times'])
    .select([utcText('first_at').as('first_at'), utcText('last_at').as('last_at')])
    .where('closed_at', 'is', null)
    .orderBy('times', 'desc')
    .orderBy('first_at')
    .orderBy('id')
    .limit(openReportsMax)
    .execute()
  const ids = reports.map(({ resource_id }) => resource_id)
  const records = await readRecords(db, ids)
  return reports.map((report) => {
    const record = records.get(report.resource_id)
    const amounts = amountColumns.map((column) => [column, record?.[column] ?? null])
    return {
      ...report,
      currency: record?.currency ?? null,
      ...(Object.fromEntries(amounts) as Record<AmountColumn, DecimalText | null>),
    }
  })
}

/** @throws FeatureError when it does not wait */
export async function closeReport(db: Db, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('price_reports')
    .set({ closed_at: sql<string>`ratecard_now()` })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound('report', id)
}

/** How many wait. @param after only those that are newer than this instant */
export async function countReports(db: Db, after: string | null = null): Promise<number> {
  const { waiting } = await db
    .selectFrom('price_reports')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('closed_at', 'is', null)
    .where('first_at', '>', after ?? '-infinity')
    .executeTakeFirstOrThrow()
  return waiting
}
