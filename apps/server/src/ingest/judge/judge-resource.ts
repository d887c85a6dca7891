import {
  amountColumns,
  type AmountColumn,
  type DecimalText,
  type PriceRecord,
} from '../../catalog/price-record.ts'
import type { Rule } from '../../catalog/price-rule.ts'
import type { Rate } from '../../catalog/rate-card.ts'
import { agreeOn } from '../amounts.ts'
import type { Identified } from '../match/linking.ts'
import { isOfficial, isOperator, rankSource } from '../match/precedence.ts'
import { noAmounts, type Amounts } from '../source-record.ts'
import { statesNoAmount, type Claim } from '../claims/claim.ts'
import { chooseStandMs, type HoldReason } from '../claims/doubts.ts'
import { elect } from './elect.ts'
import { judgeRates, type RateEvidence } from './judge-rates.ts'
import { hearVoices, isOutlier, isTrusted, type Surroundings, type Voice } from '../claims/voices.ts'

/** A claim that waits, or is not believed. */
export interface Held {
  source: string
  /** Null: the rate card. */
  column: AmountColumn | null
  reason: HoldReason
  since: string
}

interface AmountVerdict {
  /** What is served; null: unknown. */
  value: DecimalText | null
  /** The sources that state it, the first in rank first. Empty: a source stated it before. */
  saidBy: string[]
  /** What the other sources state. */
  deniedBy: { source: string; value: DecimalText }[]
}

/** What is served of a resource, and why. */
export interface Verdict {
  key: string
  record: PriceRecord
  /** The source whose unit, link and dates are served. */
  source: string
  rule: Rule
  rates: readonly Rate[]
  rateEvidence: RateEvidence
  retiresOn: string | null
  /** The id that its seller, else a list, names in its place; null: nobody names one. */
  replacedBy: string | null
  /** Since when no source has it any more; null: one has it. */
  goneSince: string | null
  amounts: Record<AmountColumn, AmountVerdict>
  /** Two independent origins state the same input and output, and no more deny them. Null: neither is served. */
  isConfirmed: boolean | null
  held: Held[]
}

/**
 * Decides what is served of a resource from all its claims: a pure function, so that the same claims give the same
 * price, whatever the order in which they came and whichever run asks.
 * @param claims at least one; all about one resource, in one currency
 * @param at the moment of the decision
 * @returns null when nobody is heard yet, or only who bears witness: the row came in a flood, or by a name
 */
export function judgeResource(
  claims: readonly Claim[],
  identified: Identified,
  at: string,
  around: Surroundings,
): Verdict | null {
  // Who only bears witness makes nothing exist, and keeps nothing.
  const lists = claims.filter(({ stated }) => !stated.is_witness)
  if (lists.length === 0) return null
  const isPresent = lists.some(({ removedAt }) => removedAt === null)
  const goneSince = isPresent ? null : findLast(lists.map(({ removedAt }) => removedAt!))
  // What every source dropped keeps its last price until it leaves the list. A list that drops a row of others is still
  // heard for a week: half of what goes comes back, and a price must not move with it.
  const oldest = new Date(Date.parse(at) - chooseStandMs('bulk', around.policy)).toISOString()
  const heard = claims.filter(({ removedAt }) => removedAt === null || removedAt > oldest)
  const all = hearVoices(byRank(isPresent ? heard : claims), around)
  const voices = all.filter(({ claim }) => !statesNoAmount(claim))
  if (voices.every(({ claim }) => claim.stated.is_witness)) return null
  const winners = elect(voices, around.policy)
  const outliers = loneOutliers(winners, around)
  const values = outliers.size > 0 ? noAmounts : winners.amounts
  const amounts = Object.fromEntries(
    amountColumns.map((column) => [column, judgeAmount(column, values[column], voices, around)]),
  ) as unknown as Record<AmountColumn, AmountVerdict>
  const found = findOwner(voices, values, around)
  const { owner } = found
  const card = judgeRates(voices, values, around.policy)
  return {
    key: owner.claim.key,
    record: buildRecord(voices[0]!.claim, found, identified, values),
    source: owner.claim.source,
    rule: nameRule(winners.voices, amounts, around),
    ...{ rates: card.rates, rateEvidence: card.evidence },
    retiresOn: all.flatMap(({ claim }) => claim.stated.retires_on ?? [])[0] ?? null,
    replacedBy: all.flatMap(({ claim }) => claim.stated.replaced_by ?? [])[0] ?? null,
    goneSince,
    amounts,
    isConfirmed: isConfirmed(amounts, voices),
    // What its source no longer says waits for nobody.
    held: goneSince === null ? [...listHeld(voices, values, outliers, around), ...card.held] : [],
  }
}

function byRank(claims: readonly Claim[]): Claim[] {
  return claims.toSorted((a, b) => {
    const [left, right] = [rankSource(a.source, a.stated.platform), rankSource(b.source, b.stated.platform)]
    return left - right || (a.source < b.source ? -1 : 1)
  })
}

function findLast(instants: readonly string[]): string {
  return [...instants].sort().at(-1)!
}

/** Amounts far from the product's elsewhere that one source alone states. The rest of its row is of the same mistake. */
function loneOutliers(
  { amounts, voices }: { amounts: Amounts; voices: readonly Voice[] },
  around: Surroundings,
): Set<AmountColumn> {
  const isAlone = new Set(voices.map(({ origin }) => origin)).size === 1
  if (!isAlone || voices.some(({ claim }) => isTrusted(claim, around))) return new Set()
  return new Set(
    amountColumns.filter((column) => {
      const value = amounts[column]
      // A maker may move far from what others charge, and does.
      const hasMoved =
        around.isMaker && voices.some(({ claim, waits }) => claim.moves[column] && !waits.has(column))
      return value !== null && !hasMoved && isOutlier(value, column, around)
    }),
  )
}

function judgeAmount(
  column: AmountColumn,
  value: DecimalText | null,
  voices: readonly Voice[],
  { policy }: Surroundings,
): AmountVerdict {
  const stating = voices.flatMap((voice) => {
    const said = readSaid(voice, column)
    return said === null ? [] : [{ source: voice.claim.source, value: said }]
  })
  const isServed = (said: DecimalText) => value !== null && agreeOn(said, value, policy)
  return {
    value,
    saidBy: stating.flatMap((said) => (isServed(said.value) ? [said.source] : [])),
    deniedBy: stating.filter((said) => !isServed(said.value)),
  }
}

/** A source whose move waits is heard as before, and states what it moved to. One that a person rejected states nothing. */
function readSaid({ claim: { stated, moves }, amounts }: Voice, column: AmountColumn): DecimalText | null {
  const move = moves[column]
  const isAsBefore = move !== undefined && amounts[column] !== null && amounts[column] !== stated[column]
  if (!isAsBefore) return amounts[column]
  return move.decided === 'rejected' ? null : stated[column]
}

/**
 * The first source that states what is served: its unit, link and dates belong to the amounts. Pages of sellers date
 * nothing, so the day is then that of the first list which states all of it.
 */
function findOwner(
  voices: readonly Voice[],
  values: Amounts,
  { platform, policy }: Surroundings,
): { owner: Voice; dated: string | null } {
  const served = amountColumns.filter((column) => values[column] !== null)
  const support = ({ amounts }: Voice) =>
    served.filter((column) => agreeOn(amounts[column], values[column], policy)).length
  const owner = voices.toSorted((a, b) => support(b) - support(a))[0]!
  if (!isOfficial(owner.claim.source, platform)) return { owner, dated: null }
  const isWhole = (voice: Voice) => voice.waits.size === 0 && support(voice) === served.length
  const dated = voices.find((voice) => isWhole(voice) && voice.claim.stated.effective_at !== null)
  return { owner, dated: dated?.claim.stated.effective_at ?? null }
}

function buildRecord(
  first: Claim,
  { owner, dated }: ReturnType<typeof findOwner>,
  identified: Identified,
  values: Amounts,
): PriceRecord {
  const { stated, moves } = owner.claim
  // While a move waits, the date is that of the amount before it.
  const [waiting] = [...owner.waits.keys()].flatMap((column) => moves[column] ?? [])
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
    effective_at: waiting ? waiting.beforeEffectiveAt : (stated.effective_at ?? dated),
  }
}

function nameRule(
  winners: readonly Voice[],
  amounts: Record<AmountColumn, AmountVerdict>,
  { platform }: Surroundings,
): Rule {
  const isWaiting = winners.some(({ waits, claim }) =>
    [...waits.keys()].some((column) => claim.moves[column]),
  )
  if (winners.some(({ claim }) => isOperator(claim.source) || isAccepted(claim))) return 'operator'
  if (winners.some(({ claim }) => isOfficial(claim.source, platform)))
    return isWaiting ? 'waiting' : 'own_list'
  if (new Set(winners.map(({ origin }) => origin)).size > 1) return 'agreed'
  if (isWaiting) return 'waiting'
  const isDenied = amountColumns.some((column) => amounts[column].deniedBy.length > 0)
  return isDenied ? 'contested' : 'alone'
}

function isAccepted({ moves }: Claim): boolean {
  return Object.values(moves).some(({ decided }) => decided === 'accepted')
}

/** "Confirmed" is never said of what more independent sources deny than state. */
function isConfirmed(amounts: Record<AmountColumn, AmountVerdict>, voices: readonly Voice[]): boolean | null {
  const countOrigins = (sources: readonly string[]) =>
    new Set(voices.flatMap(({ claim, origin }) => (sources.includes(claim.source) ? [origin] : []))).size
  const served = [amounts.input_per_mtok, amounts.output_per_mtok].filter(({ value }) => value !== null)
  if (served.length === 0) return null
  return served.every(({ saidBy, deniedBy }) => {
    const saying = countOrigins(saidBy)
    return saying > 1 && saying >= countOrigins(deniedBy.map(({ source }) => source))
  })
}

/** What a source states and is not served, where it waits or where the row contradicts itself or its peers. */
function listHeld(
  voices: readonly Voice[],
  values: Amounts,
  outliers: ReadonlySet<AmountColumn>,
  { policy }: Surroundings,
): Held[] {
  return voices.flatMap(({ claim, waits, amounts }) =>
    amountColumns.flatMap((column): Held[] => {
      const stated = claim.stated[column]
      const move = claim.moves[column]
      if (move?.decided === 'rejected' || agreeOn(stated, values[column], policy)) return []
      const since = move?.since ?? claim.firstSeen
      const wait = waits.get(column)
      if (wait) return [{ source: claim.source, column, ...wait }]
      if (stated === null) return []
      if (outliers.size > 0 && amounts[column] !== null && values[column] === null)
        return [{ source: claim.source, column, reason: 'outlier', since }]
      return move && agreeOn(move.before, values[column], policy)
        ? [{ source: claim.source, column, reason: 'denied', since }]
        : []
    }),
  )
}
