import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { amountColumns, type AmountColumn, type DecimalText } from '../../catalog/price-record.ts'
import { agree } from '../amounts.ts'
import { feedPolicy } from '../policy.ts'
import type { Amounts } from '../source-record.ts'

/** An amount that sources state differently. */
interface Disagreement {
  /** The resource. */
  id: string
  field: AmountColumn
  /** The amount of each source that knows it. */
  values: Record<string, DecimalText>
  /** The source whose price is served. */
  served: string | null
  /** The difference of the smallest and the largest, in per cent of the largest. */
  spread_pct: number
}

export interface DisagreementReport {
  /** Amounts that at least two sources state. */
  compared: number
  disagreements: Disagreement[]
}

/** Amounts of one resource that differ between sources by more than rounding, the widest first. */
export async function findDisagreements(db: Db): Promise<DisagreementReport> {
  const { rows } = await sql<{ id: string; served: string | null; claims: Record<string, Amounts> }>`
    select standing.resource_id as id, standing.source as served,
      jsonb_object_agg(claim.source, claim.stated) as claims
    from feed_claims as claim
    join price_standings as standing using (resource_key)
    join prices using (resource_id)
    where removed_at is null and claim.stated ->> 'currency' is not distinct from prices.currency
    group by standing.resource_id, standing.source
    having count(*) > 1
    order by standing.resource_id`.execute(db)
  const report: DisagreementReport = { compared: 0, disagreements: [] }
  for (const { id, served, claims } of rows) {
    for (const field of amountColumns) {
      const stated = Object.entries(claims).filter(([, amounts]) => amounts[field] !== null)
      if (stated.length < 2) continue
      report.compared += 1
      const sorted = stated.toSorted(([, a], [, b]) => Number(a[field]) - Number(b[field]))
      const [[, least], [, most]] = [sorted[0]!, sorted.at(-1)!]
      if (agree(least, most, [field], feedPolicy)) continue
      const values = Object.fromEntries(stated.map(([source, amounts]) => [source, amounts[field]!]))
      const spread = 1 - Number(least[field]) / Number(most[field])
      report.disagreements.push({ id, field, values, served, spread_pct: Math.round(spread * 1_000) / 10 })
    }
  }
  report.disagreements.sort((a, b) => b.spread_pct - a.spread_pct)
  return report
}
