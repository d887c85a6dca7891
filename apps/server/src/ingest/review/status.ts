import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import type { Evidence } from '../changes/feed-state.ts'
import { isOutvoted } from './outvoted.ts'
import { feedPolicy } from '../policy.ts'
import { Units } from '../../platform/forms.ts'

/** How many of the served prices two independent sources state alike, on input and on output. */
export const Confirmation = z.strictObject({
  /** Prices with an input or output amount. */
  priced: Units,
  confirmed: Units,
  /** Served amounts that two or more agreeing independent sources deny. */
  outvoted: Units,
})
export type Confirmation = z.infer<typeof Confirmation>

export async function readConfirmation(db: Db): Promise<Confirmation> {
  const { rows } = await sql<{ priced: number; confirmed: number }>`
    select count(*) filter (where is_confirmed is not null)::int as priced,
      count(*) filter (where is_confirmed)::int as confirmed
    from price_standings where gone_since is null`.execute(db)
  // Of 8,000 standings some 300 have an amount that two others deny: few leave the database.
  const { rows: denied } = await sql<{ resource_id: string; evidence: Evidence }>`
    select resource_id, evidence from price_standings
    where exists (
      select from jsonb_each(evidence) as amount
      where (select count(*) from jsonb_object_keys(amount.value -> 'denied_by')) > 1
    )`.execute(db)
  const outvoted = denied.flatMap(({ resource_id, evidence }) => {
    const platform = resource_id.split(':')[0] ?? null
    return Object.values(evidence).filter((poll) => isOutvoted(poll, platform, feedPolicy))
  })
  return { ...rows[0]!, outvoted: outvoted.length }
}
