import type { AmountColumn, DecimalText } from '../../src/catalog/price-record.ts'
import { agreeOn } from '../../src/ingest/amounts.ts'
import type { FeedPolicy } from '../../src/ingest/policy.ts'
import { findOrigin, findOwnList } from '../../src/ingest/match/precedence.ts'

type Column = Extract<AmountColumn, `${string}_per_mtok`>
const columns: readonly Column[] = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok']

/** What a source says of a resource, as far as it is counted. */
export interface CountedClaim {
  source: string
  /** `resourceKey` of the resource. */
  key: string
  stated: { platform: string | null; currency: string | null } & Record<Column, DecimalText | null>
}

/** Of the amounts on which the others agree, those that the source states alike. */
interface Share {
  compared: number
  alike: number
  /** `alike` of `compared`, 0 to 1, drawn to what is expected of a source while few are compared. */
  share: number
}

interface Reliability {
  /** Without platforms whose own list is read: that list decides there, and the others copy it or are late. */
  overall: Share
  byPlatform: Record<string, Share>
}

type Count = Omit<Share, 'share'>
/** By source and platform. */
type Counts = Map<string, Map<string, Count>>

/** What a source is expected to be before anything is compared, and how many amounts that is worth. */
const expected = { share: 0.9, amounts: 20 }
/** How many amounts the source's share over all is worth on each platform. */
const platformAmounts = 10

/**
 * How often each source states what two or more others agree on. Its own word does not count for that, nor that of a
 * copy of its list: else two lists that make the same mistake would bear each other out.
 */
export function measureReliability(
  claims: readonly CountedClaim[],
  policy: FeedPolicy,
): Record<string, Reliability> {
  const counts: Counts = new Map()
  for (const rivals of Map.groupBy(claims, ({ key }) => key).values()) {
    for (const column of columns) {
      const stating = rivals.filter(({ stated }) => stated[column] !== null)
      for (const claim of stating) {
        const agreed = agreedBy(findOthers(claim, stating), column, policy)
        if (agreed === null) continue
        const count = findCount(counts, claim)
        count.compared += 1
        count.alike += Number(agreeOn(claim.stated[column], agreed, policy))
      }
    }
  }
  return Object.fromEntries(
    [...counts].map(([source, platforms]) => {
      const open = [...platforms].filter(([platform]) => findOwnList(platform) === null)
      const sum = (what: 'compared' | 'alike') => open.reduce((total, [, count]) => total + count[what], 0)
      const overall = drawShare({ compared: sum('compared'), alike: sum('alike') }, expected)
      const prior = { share: overall.share, amounts: platformAmounts }
      const byPlatform = [...platforms].map(([platform, count]) => [platform, drawShare(count, prior)])
      return [source, { overall, byPlatform: Object.fromEntries(byPlatform) as Reliability['byPlatform'] }]
    }),
  )
}

function findOthers(
  { source, stated: { platform, currency } }: CountedClaim,
  all: readonly CountedClaim[],
): CountedClaim[] {
  return all.filter(
    (other) =>
      other.stated.currency === currency &&
      findOrigin(other.source, platform) !== findOrigin(source, platform),
  )
}

/** The amount that two or more origins state alike, and more than state any other; null: there is none. */
function agreedBy(others: readonly CountedClaim[], column: Column, policy: FeedPolicy): DecimalText | null {
  const groups = others.map(({ stated }) => {
    const alike = others.filter((other) => agreeOn(other.stated[column], stated[column], policy))
    const origins = new Set(alike.map((other) => findOrigin(other.source, other.stated.platform)))
    return { amount: stated[column], size: origins.size }
  })
  const best = groups.toSorted((a, b) => b.size - a.size)[0]
  if (best === undefined || best.size < 2) return null
  const isRival = (group: typeof best) =>
    group.size === best.size && !agreeOn(group.amount, best.amount, policy)
  return groups.some(isRival) ? null : best.amount
}

function findCount(counts: Counts, { source, stated }: CountedClaim): Count {
  const platforms = counts.get(source) ?? new Map<string, Count>()
  const platform = stated.platform ?? ''
  const count = platforms.get(platform) ?? { compared: 0, alike: 0 }
  counts.set(source, platforms.set(platform, count))
  return count
}

function drawShare({ compared, alike }: Count, prior: { share: number; amounts: number }): Share {
  return { compared, alike, share: (alike + prior.share * prior.amounts) / (compared + prior.amounts) }
}
