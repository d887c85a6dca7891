import {
  amountColumns,
  type AmountColumn,
  type DecimalText,
  type PriceRecord,
} from '../../features/prices/price-record.ts'
import type { Rate } from '../../features/prices/rate-card.ts'
import { agreeOn } from '../amounts.ts'
import type { Identified } from '../linking.ts'
import type { FeedPolicy } from '../policy.ts'
import { rankOf } from '../precedence.ts'
import type { Amounts } from '../source-record.ts'
import { hasStood, type Claim } from './claim.ts'
import { judgeAmount, type AmountCase, type AmountVerdict, type Held } from './judge-amount.ts'
import type { Peers } from './peers.ts'

/** What is served of a resource, and why. */
export interface Verdict {
  key: string
  record: PriceRecord
  /** The source whose unit, link and dates are served. */
  source: string
  rates: readonly Rate[]
  retiresOn: string | null
  /** Since when no source has it any more; null: one has it. */
  goneSince: string | null
  amounts: Record<AmountColumn, AmountVerdict>
  /** Two independent origins state the same input and output. Null: neither is served. */
  isConfirmed: boolean | null
  held: (Held & { column: AmountColumn | null })[]
}

/**
 * Decides what is served of a resource from all its claims: a pure function, so that the same claims give the same
 * price, whatever the order in which they came.
 * @param claims at least one; all about one resource
 */
export function judgeResource(
  claims: readonly Claim[],
  identified: Identified,
  peers: Peers,
  policy: FeedPolicy,
): Verdict {
  const present = claims.filter(({ removedAt }) => removedAt === null)
  const goneSince = present.length > 0 ? null : lastOf(claims.map(({ removedAt }) => removedAt!))
  // What every source dropped keeps its last price until it leaves the list.
  const heard = byRank(goneSince === null ? present : claims)
  const first = heard[0]!
  const { platform } = first.stated
  const amounts = Object.fromEntries(
    amountColumns.map((column) => {
      const median = peers.median(identified.product_id, platform, column)
      const isFree = /\bfree\b/.test(first.key) || peers.isFreePlatform(platform)
      const amount: AmountCase = { column, platform, claims: heard, peers: median, isFree, policy }
      return [column, judgeAmount(amount)]
    }),
  ) as unknown as Record<AmountColumn, AmountVerdict>
  const held = withoutHalfRow(amounts)
  const owner = ownerOf(heard, amounts, policy)
  const card = cardOf(heard, amounts, policy)
  return {
    key: first.key,
    record: recordOf(first, owner, identified, amounts, policy),
    source: owner.source,
    rates: card.rates,
    retiresOn: heard.find(({ stated }) => stated.retires_on !== null)?.stated.retires_on ?? null,
    goneSince,
    amounts,
    isConfirmed: isConfirmed(amounts),
    // What its source no longer says waits for nobody.
    held: goneSince === null ? [...held, ...card.held] : [],
  }
}

function byRank(claims: readonly Claim[]): Claim[] {
  return claims.toSorted((a, b) => {
    const [left, right] = [rankOf(a.source, a.stated.platform), rankOf(b.source, b.stated.platform)]
    return left - right || (a.source < b.source ? -1 : 1)
  })
}

function lastOf(instants: readonly string[]): string {
  return [...instants].sort().at(-1)!
}

/**
 * A row of which one amount cannot be believed is not served in part: its other amounts come from the same mistake.
 * Returns what is held.
 */
function withoutHalfRow(amounts: Record<AmountColumn, AmountVerdict>): Verdict['held'] {
  const held = amountColumns.flatMap((column) => amounts[column].held.map((one) => ({ ...one, column })))
  const doubted = new Set(
    held.flatMap(({ source, reason, before }) =>
      (reason === 'range' || reason === 'outlier') && before === null ? [source] : [],
    ),
  )
  for (const column of amountColumns) {
    const verdict = amounts[column]
    if (verdict.value === null || !verdict.saidBy.every((source) => doubted.has(source))) continue
    if (verdict.saidBy.length === 0) continue
    const [source] = verdict.saidBy
    const since = held.find((one) => one.source === source)!.since
    held.push({ source: source!, reason: 'half_row', before: null, after: verdict.value, since, column })
    amounts[column] = { ...verdict, value: null, saidBy: [], origins: 0 }
  }
  return held
}

/** The first source that states what is served: its unit, link and dates belong to the amounts. */
function ownerOf(
  claims: readonly Claim[],
  amounts: Record<AmountColumn, AmountVerdict>,
  policy: FeedPolicy,
): Claim {
  const served = amountColumns.filter((column) => amounts[column].value !== null)
  const support = (claim: Claim) =>
    served.filter((column) => agreeOn(claim.stated[column], amounts[column].value, policy)).length
  return claims.toSorted((a, b) => support(b) - support(a))[0]!
}

function recordOf(
  first: Claim,
  owner: Claim,
  identified: Identified,
  amounts: Record<AmountColumn, AmountVerdict>,
  policy: FeedPolicy,
): PriceRecord {
  const { stated } = owner
  const values = Object.fromEntries(amountColumns.map((column) => [column, amounts[column].value])) as Amounts
  // While a move waits, the date is that of the amount before it.
  const waiting = amountColumns
    .flatMap((column) => (values[column] === stated[column] ? [] : (owner.moves[column] ?? [])))
    .find((move) => !hasStood(move, owner.lastSeen, policy))
  return {
    resource_id: first.stated.resource_id,
    product_id: identified.product_id,
    vendor: identified.vendor,
    platform: first.stated.platform,
    modality: identified.modality,
    region: first.stated.region,
    unit: stated.unit,
    ...values,
    currency: stated.currency,
    source_url: stated.source_url,
    effective_at: waiting ? waiting.beforeEffectiveAt : stated.effective_at,
  }
}

/**
 * The rate card of the first source whose input and output are the served ones: tiers belong to their base price. A card
 * waits with its base.
 */
function cardOf(
  claims: readonly Claim[],
  amounts: Record<AmountColumn, AmountVerdict>,
  policy: FeedPolicy,
): { rates: readonly Rate[]; held: Verdict['held'] } {
  const isServed = (value: DecimalText | null, column: AmountColumn) =>
    value === null || amounts[column].value === null || agreeOn(value, amounts[column].value, policy)
  const base = ['input_per_mtok', 'output_per_mtok'] as const
  for (const { stated, moves, cardMove, lastSeen, source } of claims) {
    const isBased = base.every((column) => isServed(stated[column], column))
    const wasBased = base.every((column) => isServed(moves[column]?.before ?? stated[column], column))
    if (!isBased && !wasBased) continue
    const waits = !isBased || !hasStood(cardMove, lastSeen, policy)
    const rates = waits && cardMove ? cardMove.before : stated.rates
    if (rates.length === 0 && !(waits && cardMove)) continue
    const held =
      isBased && waits && cardMove
        ? [
            {
              source,
              reason: 'card',
              before: null,
              after: null,
              since: cardMove.since,
              column: null,
            } as const,
          ]
        : []
    return { rates, held }
  }
  return { rates: [], held: [] }
}

function isConfirmed(amounts: Record<AmountColumn, AmountVerdict>): boolean | null {
  const served = [amounts.input_per_mtok, amounts.output_per_mtok].filter(({ value }) => value !== null)
  return served.length === 0 ? null : served.every(({ origins }) => origins > 1)
}
