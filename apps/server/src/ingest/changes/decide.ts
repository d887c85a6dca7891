import { amountColumns, servedColumns, type PriceRecord } from '../../catalog/price-record.ts'
import { cardText, type Rate } from '../../catalog/rate-card.ts'
import { pickAmounts, movedColumns } from '../amounts.ts'
import type { Transition } from './draft-changes.ts'
import type { Decision, Evidence, FeedState, Hold, NewHold, Standing } from './feed-state.ts'
import type { Claim } from '../claims/claim.ts'
import { judgeAll } from '../judge/judge-all.ts'
import type { Verdict } from '../judge/judge-resource.ts'
import type { FeedPolicy } from '../policy.ts'
import { noAmounts, type Amounts } from '../source-record.ts'

export interface DecideOptions {
  /** The moment of the decision, RFC 3339 in UTC. */
  at: string
  policy: FeedPolicy
}

export type Outcome = Pick<
  Decision,
  | 'served'
  | 'left'
  | 'standings'
  | 'endedStandings'
  | 'newHolds'
  | 'restatedHolds'
  | 'confirmedHolds'
  | 'withdrawnHolds'
> & { verdicts: ReadonlyMap<string, Verdict>; transitions: Transition[] }

/**
 * Compares what all claims mean with what is served. A pure function: the same claims again decide nothing, but for what
 * time brings.
 */
export function decide(claims: readonly Claim[], state: FeedState, options: DecideOptions): Outcome {
  const verdicts = judgeAll(claims, options.at, options.policy)
  const byKey = Map.groupBy(claims, ({ key }) => key)
  const outcome: Outcome = {
    served: [],
    left: [],
    standings: [],
    endedStandings: [],
    transitions: [],
    ...decideHolds(verdicts, byKey, state.holds),
    verdicts,
  }
  for (const [key, verdict] of verdicts) {
    const known = state.standings.get(key)
    const id = verdict.record.resource_id
    // A price that was stored without the feed is taken over.
    const served = state.served.get(known?.resource_id ?? id)
    if (known && known.resource_id !== id) outcome.left.push(known.resource_id)
    const card = state.cards.get(known?.resource_id ?? id) ?? []
    if (!served || known?.resource_id !== id || !isSame(verdict, served, card))
      outcome.served.push({ record: verdict.record, source: verdict.source, rates: verdict.rates })
    const standing = toStanding(verdict)
    if (!known || JSON.stringify(inOrder(known)) !== JSON.stringify(inOrder(standing)))
      outcome.standings.push(standing)
    outcome.transitions.push({ verdict, known, served, card, claims: byKey.get(key) ?? [] })
  }
  for (const [key, { resource_id }] of state.standings) {
    if (verdicts.has(key)) continue
    outcome.left.push(resource_id)
    outcome.endedStandings.push(key)
  }
  return outcome
}

function isSame(verdict: Verdict, served: PriceRecord, card: readonly Rate[]): boolean {
  return (
    servedColumns.every((column) => served[column] === verdict.record[column]) &&
    cardText(card) === cardText(verdict.rates)
  )
}

function toStanding(verdict: Verdict): Standing {
  const { key, record, source, goneSince, retiresOn, isConfirmed, amounts, rule, rateEvidence } = verdict
  const evidence: Evidence = {}
  for (const column of amountColumns) {
    const { saidBy, deniedBy } = amounts[column]
    if (saidBy.length === 0 && deniedBy.length === 0) continue
    const denied = deniedBy.map(({ source, value }) => [source, value])
    evidence[column] = { said_by: saidBy, denied_by: Object.fromEntries(denied) as Record<string, string> }
  }
  const { resource_id } = record
  return { key, resource_id, source, goneSince, retiresOn, isConfirmed, rule, evidence, rateEvidence }
}

function inOrder(standing: Standing): unknown[] {
  const { resource_id, source, goneSince, retiresOn, isConfirmed, rule, evidence, rateEvidence } = standing
  const sides = [evidence, rateEvidence].map((polls) =>
    Object.entries(polls)
      .sort(byName)
      .map(([name, { said_by, denied_by }]) => [name, said_by, Object.entries(denied_by).sort(byName)]),
  )
  return [resource_id, source, goneSince, retiresOn, isConfirmed, rule, sides]
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/** What waits from now on, and what waits no longer: its claim is served now, or its source says otherwise. */
function decideHolds(
  verdicts: ReadonlyMap<string, Verdict>,
  claims: ReadonlyMap<string, readonly Claim[]>,
  open: readonly Hold[],
): Pick<Outcome, 'newHolds' | 'restatedHolds' | 'confirmedHolds' | 'withdrawnHolds'> {
  const waiting = new Map<string, NewHold>()
  for (const [key, { held, record }] of verdicts) {
    for (const [source, ofSource] of Map.groupBy(held, (one) => one.source)) {
      const claim = claims.get(key)!.find((one) => one.source === source)!
      const resource_id = claim.stated.resource_id
      const [first] = ofSource
      waiting.set(holdKey(source, resource_id), {
        source,
        resource_id,
        reason: first!.reason,
        before: pickAmounts(record),
        after: pickAmounts(claim.stated),
        firstSeen: ofSource.map(({ since }) => since).sort()[0]!,
      })
    }
  }
  const bySource = new Map(
    [...claims.values()].flat().map((claim) => [holdKey(claim.source, claim.stated.resource_id), claim]),
  )
  const confirmedHolds: string[] = []
  const withdrawnHolds: string[] = []
  const restatedHolds: Hold[] = []
  const kept = new Set<string>()
  for (const hold of open) {
    const key = holdKey(hold.source, hold.resource_id)
    const stated = bySource.get(key)?.stated ?? noAmounts
    const isSameClaim = movedColumns(hold.after, stated).length === 0
    const next = waiting.get(key)
    if (isSameClaim && next) {
      kept.add(key)
      if (!isSameHold(hold, next)) restatedHolds.push({ ...next, id: hold.id })
    } else if (isSameClaim && isServed(verdicts, bySource.get(key), hold.before)) confirmedHolds.push(hold.id)
    else withdrawnHolds.push(hold.id)
  }
  return {
    newHolds: [...waiting].flatMap(([key, hold]) => (kept.has(key) ? [] : [hold])),
    restatedHolds,
    confirmedHolds,
    withdrawnHolds,
  }
}

/** The same claim may wait for another reason, or in another one's place, once other sources have been read. */
function isSameHold(hold: Hold, next: NewHold): boolean {
  return (
    hold.reason === next.reason &&
    hold.firstSeen === next.firstSeen &&
    movedColumns(hold.before, next.before).length === 0
  )
}

function isServed(
  verdicts: ReadonlyMap<string, Verdict>,
  claim: Claim | undefined,
  before: Amounts,
): boolean {
  const record = claim && verdicts.get(claim.key)?.record
  return record !== undefined && movedColumns(before, record).length > 0
}

function holdKey(source: string, resourceId: string): string {
  return `${source}\n${resourceId}`
}
