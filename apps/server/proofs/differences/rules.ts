import type { AmountColumn, DecimalText } from '../../src/features/prices/price-record.ts'
import { agreeOn, factorBetween, isAbsurd } from '../../src/feed/amounts.ts'
import { hasStood, type Claim } from '../../src/feed/judge/claim.ts'
import type { Verdict } from '../../src/feed/judge/judge-resource.ts'
import type { FeedPolicy } from '../../src/feed/policy.ts'
import { isOperator, isOwnList, originOf, rankOf } from '../../src/feed/precedence.ts'

// Why an amount is served otherwise than a source states it: the rules of docs/feed.md, each as a question to the verdict.
// They are written apart from the judgement, which they check.

/** An amount of a source's newest file that is served otherwise. */
export interface Case {
  /** Of an amount that no newest file states, the source whose price is served. */
  source: string
  column: AmountColumn
  /** Null: no newest file states it. */
  stated: DecimalText | null
  verdict: Verdict
  /** What each source says of the resource that has it. */
  claims: readonly Claim[]
  /** The median of the product's amount on other platforms; null: too few state it. */
  peers: number | null
  policy: FeedPolicy
}

export interface Rule {
  name: string
  /** A sentence for the report. */
  says: string
  holds: (one: Case) => boolean
}

/** The first that holds explains a difference. */
export const rules: readonly Rule[] = [
  {
    name: 'rounding',
    says: 'The amounts are less than 0.5 % apart: the first source in precedence is served.',
    holds: ({ stated, policy, ...one }) =>
      stated !== null && servedIn(one) !== null && agreeOn(stated, servedIn(one), policy),
  },
  {
    name: 'range',
    says: 'No vendor charges less than 0.0001 or more than 1,000 USD per million tokens.',
    holds: ({ column, stated, policy }) => isAbsurd(column, stated, policy),
  },
  {
    name: "the operator's own prices",
    says: "The operator's own prices come first.",
    holds: (one) => saying(one).some(({ source }) => isOperator(source)),
  },
  {
    name: 'a person decided',
    says: 'A person accepted what is served, or rejected what is stated.',
    holds: ({ column, source, ...one }) =>
      saying({ column, ...one }).some(({ moves }) => moves[column]?.decided === 'accepted') ||
      one.claims.some((claim) => claim.source === source && claim.moves[column]?.decided === 'rejected'),
  },
  {
    name: "the platform's own list",
    says: "The platform's own list decides what is charged there.",
    holds: (one) => saying(one).some(({ source }) => isOwnList(source, platformOf(one))),
  },
  {
    name: 'more sources',
    says: 'More independent sources state what is served than state the other amount.',
    holds: (one) => originsOf(saying(one), one) > originsOf(denying(one), one),
  },
  {
    name: 'more sources moved',
    says: 'More independent sources left the stated amount for the served one than the other way.',
    holds: (one) => {
      const [movers, opposed] = [
        moversOf(saying(one), one.stated, one),
        moversOf(denying(one), servedIn(one), one),
      ]
      const isWitnessed = originsOf(movers, one) > 1 || originsOf(saying(one), one) > 1
      return isWitnessed && originsOf(movers, one) > originsOf(opposed, one)
    },
  },
  {
    name: 'not read since',
    says: 'The data that states the amount is more than 7 days older than the move that left it.',
    holds: (one) => {
      const movers = moversOf(saying(one), one.stated, one)
      const [first] = movers.map(({ moves }) => moves[one.column]!.since).sort()
      if (first === undefined) return false
      const oldestMs = Date.parse(first) - one.policy.guards.denialDays * 86_400_000
      const current = denying(one).filter(({ dataAt }) => Date.parse(dataAt) >= oldestMs)
      return originsOf(saying(one), one) > originsOf(current, one)
    },
  },
  {
    name: 'has just begun',
    says: 'Of two single sources, one has just begun to state its amount.',
    holds: (one) =>
      isEven(one) &&
      saying(one).some((claim) => hasStoodAgainst(claim, one)) &&
      !denying(one).some((claim) => hasStoodAgainst(claim, one)),
  },
  {
    name: 'nearer to other platforms',
    says: 'As many sources state either amount: the one nearer to what the product costs on other platforms is served.',
    holds: (one) => isEven(one) && (nearnessOf(one) ?? 0) > 0,
  },
  {
    name: 'precedence',
    says: 'As many sources state either amount, and nothing else speaks for one: the first source in precedence is served.',
    holds: (one) =>
      isEven(one) && (nearnessOf(one) ?? 0) === 0 && firstRank(saying(one)) < firstRank(denying(one)),
  },
  {
    name: 'outlier',
    says: 'One source alone states it, 8 times or more from what the product costs on other platforms: nothing is served.',
    holds: (one) => servedIn(one) === null && isHeldAs(one, 'outlier'),
  },
  {
    name: 'half a row',
    says: 'Another amount of the same row of the same source cannot be believed: nothing of the row is served.',
    holds: (one) =>
      servedIn(one) === null &&
      one.verdict.held.some(({ reason, column }) => reason === 'half_row' && column === one.column) &&
      one.verdict.held.some(
        ({ reason, source }) => source === one.source && /half_row|outlier|range/.test(reason),
      ),
  },
  {
    name: 'waits',
    says: 'The source alone has moved so far that it must stand by it; until then the amount before is served.',
    holds: (one) => saying(one).length === 0 && isHeldAs(one, 'large', 'factor', 'to_zero', 'from_zero', 'swapped', 'bulk', 'vanished', 'denied'), // prettier-ignore
  },
  {
    name: 'gone',
    says: 'No source has the row any more: it keeps its last price for 30 days.',
    holds: ({ stated, verdict }) => stated === null && verdict.goneSince !== null,
  },
]

/** The rules that ask what a source stated before. */
export const historicRules: readonly string[] = [
  'more sources moved',
  'not read since',
  'has just begun',
  'waits',
  'gone',
]

function servedIn({ verdict, column }: Pick<Case, 'verdict' | 'column'>): DecimalText | null {
  return verdict.amounts[column].value
}

function platformOf({ verdict }: Pick<Case, 'verdict'>): string | null {
  return verdict.record.platform
}

/** The claims that state what is served. */
function saying({ verdict, column, claims }: Pick<Case, 'verdict' | 'column' | 'claims'>): Claim[] {
  const { saidBy } = verdict.amounts[column]
  return claims.filter(({ source }) => saidBy.includes(source))
}

/** The claims that state what the source states. */
function denying({ verdict, column, claims, stated, policy }: Case): Claim[] {
  const sources = verdict.amounts[column].deniedBy.flatMap(({ source, value }) =>
    agreeOn(value, stated, policy) ? [source] : [],
  )
  return claims.filter(({ source }) => sources.includes(source))
}

function originsOf(claims: readonly Claim[], one: Case): number {
  return new Set(claims.map(({ source }) => originOf(source, platformOf(one)))).size
}

function isEven(one: Case): boolean {
  return saying(one).length > 0 && originsOf(saying(one), one) === originsOf(denying(one), one)
}

/** Those of the claims that left an amount. */
function moversOf(claims: readonly Claim[], left: DecimalText | null, { column, policy }: Case): Claim[] {
  return claims.filter(({ moves }) => {
    const move = moves[column]
    return move !== undefined && !move.isReturn && agreeOn(move.before, left, policy)
  })
}

/** Against a denial every move must stand as long as a large one. */
function hasStoodAgainst({ moves, lastSeen }: Claim, { column, policy }: Case): boolean {
  const move = moves[column]
  return !move || hasStood({ ...move, doubt: move.doubt ?? 'large' }, lastSeen, policy)
}

/** Above 0: what is served is much nearer to the peers; below: what is stated is. Null: no peers are known. */
function nearnessOf(one: Case): number | null {
  const { stated, peers, policy } = one
  const served = servedIn(one)
  if (peers === null || stated === null || served === null) return null
  const ratio = factorBetween(stated, String(peers)) / factorBetween(served, String(peers))
  if (ratio >= policy.guards.peerNearMin) return 1
  return ratio <= 1 / policy.guards.peerNearMin ? -1 : 0
}

function firstRank(claims: readonly Claim[]): number {
  return Math.min(...claims.map(({ source, stated }) => rankOf(source, stated.platform)))
}

function isHeldAs({ source, column, verdict }: Case, ...reasons: string[]): boolean {
  return verdict.held.some(
    (held) => held.source === source && held.column === column && reasons.includes(held.reason),
  )
}
