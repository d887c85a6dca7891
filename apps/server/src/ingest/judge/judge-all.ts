import type { AmountColumn } from '../../catalog/price-record.ts'
import { agree } from '../amounts.ts'
import { linkAll, toNaming, type Identified } from '../match/linking.ts'
import type { FeedPolicy } from '../policy.ts'
import { isOfficial, isOperator, findOrigin, findOwnList, weighSource } from '../match/precedence.ts'
import { router, routerCopies } from '../match/source-ranks.ts'
import { statesNoAmount, type Claim } from '../claims/claim.ts'
import { judgeResource, type Verdict } from './judge-resource.ts'
import { findMedian, findPeers, isInUsd, readCurrency } from './peers.ts'

const unidentified: Identified = { product_id: null, vendor: 'unknown', modality: null }

/**
 * Decides all that is served from all claims, by resource key. Resources that do not exist, or that are gone for long,
 * have no verdict: they are not served.
 * @param at the moment of the decision, RFC 3339 in UTC
 */
export function judgeAll(claims: readonly Claim[], at: string, policy: FeedPolicy): Map<string, Verdict> {
  const identified = linkAll(claims.map(({ source, stated }) => toNaming(source, stated)))
  const findProduct = (key: string) => identified.get(key)?.product_id ?? null
  const peers = findPeers(claims, findProduct, policy)
  const routed = routerPrices(claims, findProduct)
  // Beside two other lists of the maker's platform a row that they lack is suspect; without them it is all there is. What
  // makers say themselves is of the models that they sell now, and no measure for a list.
  const listed = new Map<string | null, Set<string>>()
  for (const { source, stated, removedAt } of claims)
    if (removedAt === null && !isOfficial(source, stated.platform))
      listed.set(stated.platform, (listed.get(stated.platform) ?? new Set()).add(source))
  const families = Map.groupBy(claims, ({ key, stated }) => `${findProduct(key)}\n${stated.platform}`)
  const readAt = findReadings(claims)
  const verdicts = new Map<string, Verdict>()
  for (const [key, all] of Map.groupBy(claims, (claim) => claim.key)) {
    const existing = inOneCurrency(whereItExists(all, readAt, policy))
    if (existing.length === 0) continue
    const { platform } = existing[0]!.stated
    const model = identified.get(key) ?? unidentified
    const { product_id, vendor } = model
    const verdict = judgeResource(existing, model, at, {
      platform,
      policy,
      findPeer: (column) =>
        product_id === null || !isInUsd(existing[0]!)
          ? null
          : (peers.median(product_id, platform, column) ??
            modelAmount(families.get(`${product_id}\n${platform}`)!, existing, column)),
      isMaker: platform === vendor,
      isFree: /\bfree\b/.test(key) || peers.isFreePlatform(platform),
      isCopied: (claim) =>
        platform === vendor &&
        (listed.get(platform)?.size ?? 0) > 2 &&
        isRouterPrice(claim, existing, routed.get(product_id ?? '') ?? [], policy),
    })
    if (verdict && !isLongGone(verdict, at, policy)) verdicts.set(key, verdict)
  }
  return verdicts
}

/**
 * What the other names of a model cost on its platform: of a snapshot the alias and the other snapshots. Null: fewer than
 * two other sources state it.
 */
function modelAmount(family: readonly Claim[], row: readonly Claim[], column: AmountColumn): number | null {
  const sources = new Set(row.map(({ source }) => source))
  const others = family.filter(
    (other) =>
      other.key !== row[0]!.key &&
      isInUsd(other) &&
      !sources.has(other.source) &&
      other.removedAt === null &&
      Number(other.stated[column] ?? 0) > 0,
  )
  if (new Set(others.map(({ source }) => source)).size < 2) return null
  return findMedian(others.map(({ stated }) => Number(stated[column])))
}

/** What is said of the router's own rows, by product. */
function routerPrices(
  claims: readonly Claim[],
  findProduct: (key: string) => string | null,
): Map<string, readonly Claim[]> {
  const rows = claims.filter(({ stated, removedAt }) => stated.platform === router && removedAt === null)
  return Map.groupBy(rows, ({ key }) => findProduct(key) ?? '')
}

/**
 * Whether a list has filed the router's price under the maker: it is the router's to the digit, and nobody else states it
 * of the maker. Of the 57 rows that genai-prices alone has on makers' platforms 23 are OpenRouter's (August 2026).
 */
function isRouterPrice(
  claim: Claim,
  all: readonly Claim[],
  routed: readonly Claim[],
  policy: FeedPolicy,
): boolean {
  if (!routerCopies.includes(claim.source)) return false
  const { stated } = claim
  if (stated.input_per_mtok === null || Number(stated.input_per_mtok) === 0) return false
  const isSame = (other: Claim) => agree(stated, other.stated, ['input_per_mtok', 'output_per_mtok'], policy)
  if (!routed.some(isSame)) return false
  const others = all.filter((other) => other.source !== claim.source && other.removedAt === null)
  // Beside others it is one voice of several, unless it went over to the router's price.
  return others.length === 0 || (claim.moves.input_per_mtok !== undefined && !others.some(isSame))
}

/** When each source was read last, as its claims tell. */
function findReadings(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const readAt = new Map<string, string>()
  for (const { source, lastSeen } of claims)
    if (lastSeen > (readAt.get(source) ?? '')) readAt.set(source, lastSeen)
  return readAt
}

/**
 * The claims that count. A platform's own list decides what exists there: of 968 rows that lists had of OpenRouter, 632
 * were not in its own (2026-08-01). What it dropped is gone, whoever still lists it. While the router's was never read,
 * its platform has no rows but the operator's; another list that was not read, or not for a month, decides nothing.
 */
function whereItExists(
  claims: readonly Claim[],
  readAt: ReadonlyMap<string, string>,
  { guards }: FeedPolicy,
): readonly Claim[] {
  const { platform } = claims[0]!.stated
  const ownList = findOwnList(platform)
  if (ownList === null) return claims
  const operator = claims.filter(({ source, removedAt }) => isOperator(source) && removedAt === null)
  const own = claims.find(({ source }) => source === ownList)
  if (own?.removedAt === null) return claims
  if (platform !== router && isForgotten(ownList, readAt, guards.goneDays)) return claims
  if (!own) return operator
  return operator.length > 0 ? operator : [own]
}

/**
 * The claims in the currency that weighs most. Amounts of two currencies are never compared: a list that copied a number
 * without its currency neither confirms nor denies.
 */
function inOneCurrency(claims: readonly Claim[]): readonly Claim[] {
  const priced = claims.filter((claim) => !statesNoAmount(claim))
  const groups = [...Map.groupBy(priced, readCurrency).values()]
  if (groups.length < 2) return claims
  const weigh = (group: readonly Claim[]) => {
    const heard = group.filter(({ removedAt }) => removedAt === null)
    const byOrigin = new Map(
      heard.map(({ source, stated: { platform } }) => [
        findOrigin(source, platform),
        weighSource(source, platform),
      ]),
    )
    return [...byOrigin.values()].reduce((sum, weight) => sum + weight, 0)
  }
  const inOrder = groups.toSorted(([a], [b]) => (readCurrency(a!) < readCurrency(b!) ? -1 : 1))
  const winner = inOrder.toSorted((a, b) => weigh(b) - weigh(a))[0]!
  return claims.filter((claim) => winner.includes(claim) || statesNoAmount(claim))
}

/** Whether a source was never read, or not while others were, for so many days. */
function isForgotten(source: string, readAt: ReadonlyMap<string, string>, daysMax: number): boolean {
  const last = readAt.get(source)
  const newest = [...readAt.values()].reduce((a, b) => (a > b ? a : b), '')
  return last === undefined || Date.parse(newest) - Date.parse(last) > daysMax * 86_400_000
}

function isLongGone({ goneSince }: Verdict, at: string, { guards }: FeedPolicy): boolean {
  return goneSince !== null && Date.parse(at) - Date.parse(goneSince) >= guards.goneDays * 86_400_000
}
