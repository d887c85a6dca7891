import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

/** A balance that its ledger entries do not add up to. */
interface LedgerDifference {
  /** What is wrong, such as `pack pack_…` or `counter key_… on 2026-01-31`. */
  id: string
  balance: string
  stored: number
  derived: number
}

export interface LedgerReport {
  /** Balances compared. */
  counters: number
  packs: number
  differences: LedgerDifference[]
}

/** Derives every counter and pack balance from the ledger again, in one snapshot, and compares. */
export async function verifyLedger(db: Db): Promise<LedgerReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const counters = await sql<LedgerDifference>`
        with derived as (
          select quota_subject, day, sum(units)::int as plan_used
          from usage_entries where pack_id = '' group by quota_subject, day
        )
        select 'counter ' || quota_subject || ' on ' || day as id, 'plan_used' as balance,
          coalesce(s.plan_used, 0) as stored, coalesce(d.plan_used, 0) as derived
        from usage_days s full join derived d using (quota_subject, day)
        where coalesce(s.plan_used, 0) <> coalesce(d.plan_used, 0)
        order by quota_subject, day`.execute(trx)
      const packs = await sql<LedgerDifference>`
        with derived as (
          select pack_id, sum(units)::int as used from usage_entries where pack_id <> '' group by pack_id
        )
        select 'pack ' || coalesce(p.id, d.pack_id) as id, 'remaining' as balance,
          coalesce(p.remaining, 0) as stored, coalesce(p.units, 0) - coalesce(d.used, 0) as derived
        from packs p full join derived d on d.pack_id = p.id
        where p.id is null or p.remaining <> p.units - coalesce(d.used, 0)
        order by 1`.execute(trx)
      const { rows } = await sql<{ counters: number; packs: number }>`
        select (select count(*) from usage_days) as counters, (select count(*) from packs) as packs`.execute(
        trx,
      )
      const counted = rows[0] ?? { counters: 0, packs: 0 }
      return { ...counted, differences: [...counters.rows, ...packs.rows] }
    })
}
