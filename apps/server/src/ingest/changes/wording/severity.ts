import { amountColumns } from '../../../catalog/price-record.ts'
import type { ChangeDraft, RowState } from '../change-draft.ts'
import type { SeverityPolicy, ShareBand } from '../../policy.ts'
import { factorBetween } from '../../amounts.ts'
import { daysBetween } from '../../days.ts'
import type { WordingContext } from './context.ts'
import { listMoves, newThresholds, computeShare, type Move } from './moves.ts'
import { listRemovals } from './removal.ts'
import { findWitnesses } from './witnesses.ts'

/** How much a change matters, from 1 to 5: the maximum over its rows and amounts. */
export function rateSeverity(draft: ChangeDraft, context: WordingContext): number {
  const policy = context.policy.severity
  const severity = Math.max(policy.least, ...listSeverities(draft, context, policy))
  return draft.status === 'withdrawn' ? Math.min(severity, policy.withdrawnMax) : severity
}

function listSeverities(draft: ChangeDraft, context: WordingContext, policy: SeverityPolicy): number[] {
  switch (draft.category) {
    case 'price_cut':
    case 'price_rise': {
      const isDenied = findWitnesses(draft, context.policy).against.length > 0
      const most =
        draft.verified || draft.status !== 'in_effect' ? 5 : isDenied ? policy.deniedMax : policy.aloneMax
      return listMoves(draft).map((move) => Math.min(most, rateMove(move, policy)))
    }
    case 'tier_change':
      return [
        ...listMoves(draft).map((move) => (isSlip(move, context) ? policy.least : rateMove(move, policy))),
        ...newThresholds(draft).map(() => policy.newThreshold),
      ].map((severity) => Math.min(severity, policy.tierMax))
    case 'metadata':
      // An amount that appears or disappears is not a price move, but part of the news about its row.
      return listMoves(draft).flatMap((move) => (computeShare(move) === null ? [policy.appearance] : []))
    case 'deprecation':
      return draft.rows.map(({ before, after }) => rateRetirement(before, after, context.today, policy))
    case 'model_removed':
      return listRemovals(draft, context).map((kind) =>
        isPriced(draft) ? policy.removal[kind] : Math.min(policy.removal[kind], policy.unpricedRemovalMax),
      )
    case 'model_added':
    case 'correction':
      return []
  }
}

function rateMove(move: Move, policy: SeverityPolicy): number {
  const share = computeShare(move)
  if (share === null) return policy.appearance
  const bands: readonly ShareBand[] = share.isNegative() ? policy.cuts : policy.rises
  const severity = bands.find(({ shareMin }) => share.abs().gte(shareMin))?.severity ?? policy.least
  return move.isCached ? Math.min(severity, policy.cachedMax) : severity
}

/** Whether a row asks for money, by an amount or a rate. */
function isPriced({ rows }: ChangeDraft): boolean {
  return rows.some(
    ({ before }) =>
      before &&
      (before.rates.length > 0 || amountColumns.some((column) => Number(before.record[column]) > 0)),
  )
}

/** A rate moves by more than vendors move it: a mistake of the unit, or its correction. */
function isSlip({ before, after }: Move, { policy }: WordingContext): boolean {
  return before !== null && after !== null && factorBetween(before, after) >= policy.guards.slipFactorMin
}

function rateRetirement(
  before: RowState | null,
  after: RowState | null,
  today: string,
  policy: SeverityPolicy,
): number {
  const [was, is] = [before?.retires_on ?? null, after?.retires_on ?? null]
  if (is === null) return policy.least
  const days = daysBetween(today, is)
  if (days < -policy.retirementPassedDaysMax) return policy.least
  if (days < 0) return policy.retirementPassed
  const severity =
    policy.retirements.find(({ daysMax }) => days <= daysMax)?.severity ?? policy.retirementAhead
  return was !== null && is > was ? Math.min(severity, policy.postponedMax) : severity
}
