import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { lockList } from '../../database/writer-lock.ts'
import { amountColumns, type DecimalText } from '../../catalog/price-record.ts'
import { agreeOn } from '../amounts.ts'
import { readClaims } from './feed-store.ts'
import type { Claim } from '../claims/claim.ts'
import { resourceKey } from '../match/names.ts'
import type { FeedPolicy } from '../policy.ts'
import { findOrigin } from '../match/precedence.ts'

/** How long after a change another source may still confirm it. */
const confirmDays = 30

type Side = Record<string, Record<string, unknown>>

/** Marks price changes as verified of which two independent sources have made the move by now. */
export async function confirmChanges(
  trx: Trx,
  { observedAt, policy }: { observedAt: string; policy: FeedPolicy },
): Promise<void> {
  const open = await trx
    .selectFrom('changes')
    .select(['id', 'diff_before', 'diff_after'])
    .where('category', 'in', ['price_cut', 'price_rise'])
    .where('status', '=', 'in_effect')
    .where('run_id', 'is not', null)
    .where((where) => where.or([where('verified', 'is', null), where('verified', '=', false)]))
    .where('last_seen', '>', sql<string>`${observedAt}::timestamptz - ${confirmDays} * interval '1 day'`)
    .orderBy('id')
    .execute()
  const moves = open.flatMap(({ id, diff_before, diff_after }) => {
    if (diff_before === null || diff_after === null) return []
    return [{ id, before: JSON.parse(diff_before) as Side, after: JSON.parse(diff_after) as Side }]
  })
  if (moves.length === 0) return
  const keys = moves.flatMap(({ after }) => Object.keys(after).map(resourceKey))
  const claims = Map.groupBy(await readClaims(trx, { keys }), ({ key }) => key)
  const confirmed = moves.filter(({ before, after }) =>
    Object.keys(after).every((id) =>
      isWitnessed(claims.get(resourceKey(id)) ?? [], before[id] ?? {}, after[id] ?? {}, policy),
    ),
  )
  if (confirmed.length === 0) return
  const first = await lockList(trx, 'changes')
  for (const [place, { id }] of confirmed.entries()) {
    await trx
      .updateTable('changes')
      .set({
        verified: true,
        verified_at: observedAt,
        updated_at: sql<string>`${first}::timestamptz + ${place}::bigint * interval '1 microsecond'`,
      })
      .where('id', '=', id)
      .execute()
  }
}

/** Whether two independent sources moved from the amounts before to those after. */
function isWitnessed(
  claims: readonly Claim[],
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  policy: FeedPolicy,
): boolean {
  const columns = amountColumns.filter((column) => column in after && column in before)
  return columns.every((column) => {
    const [was, is] = [toText(before[column]), toText(after[column])]
    const movers = claims.filter(({ moves, stated, removedAt }) => {
      const move = moves[column]
      return (
        move !== undefined &&
        removedAt === null &&
        agreeOn(move.before, was, policy) &&
        agreeOn(stated[column], is, policy)
      )
    })
    // A move in one currency is not the same move in another.
    return [...Map.groupBy(movers, ({ stated }) => stated.currency).values()].some(
      (alike) => new Set(alike.map(({ source, stated }) => findOrigin(source, stated.platform))).size > 1,
    )
  })
}

function toText(value: unknown): DecimalText | null {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : null
}
