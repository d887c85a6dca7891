import { formatUnit } from '@ratecard/contract/wording'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { utcTextOrNull } from '../../database/keyset.ts'
import { amountColumns, type DecimalText } from '../../catalog/price-record.ts'
import { ruleText, type Rule } from '../../catalog/price-rule.ts'
import { webAddress } from '../../platform/web-address.ts'
import { pickAmounts } from '../amounts.ts'
import type { Evidence } from '../changes/feed-state.ts'
import { readClaims } from '../publish/feed-store.ts'
import { listHolds, type StoredHold } from '../publish/hold-store.ts'
import type { Claim } from '../claims/claim.ts'
import { findPeers, isInUsd } from '../judge/peers.ts'
import { nameKey } from '../../catalog/model-key.ts'
import { resourceKey } from '../match/names.ts'
import { feedPolicy } from '../policy.ts'
import { rankSource } from '../match/precedence.ts'
import { whyServed } from './review-words.ts'
import { readLoads, type Load } from '../publish/run-store.ts'
import { officialSources } from '../match/source-ranks.ts'
import { noAmounts } from '../source-record.ts'
import { movedRates, rateName } from '../changes/wording/moves.ts'
import { Amount, AmountField, Amounts } from '../../catalog/amount-forms.ts'
import { OptionalTimestamp, ResourceId, Timestamp } from '../../platform/forms.ts'

/** The last move of an amount that a source states. */
export const ClaimMove = z.strictObject({
  field: AmountField,
  before: Amount,
  since: Timestamp,
  decided: z.enum(['accepted', 'rejected']).nullable(),
})

export const PeerPlatform = z.strictObject({ platform: z.string(), amounts: Amounts })

/** A rate beside the amounts that moved, such as a tier. */
export const RateMove = z.strictObject({
  /** Which rate, in words. */
  rate: z.string(),
  before: Amount,
  after: Amount,
})

/** A move that waits, with all that a person needs to decide on it. */
export interface ReviewCase {
  hold: StoredHold
  /** The product of what is served; null: unknown. */
  productId: string | null
  /** Null: nothing of the resource is served. */
  served: ServedPrice | null
  /** What every source says of the resource, the one that counts most first. */
  claims: ReviewClaim[]
  peers: ReviewPeers
  /** The rates beside the amounts that moved in the held claim, at most `ratesMax`. */
  card: z.infer<typeof RateMove>[]
}

export const ServedPrice = z.strictObject({
  resource_id: ResourceId,
  amounts: Amounts,
  currency: z.string().nullable(),
  unit: z.string().nullable(),
  source: z.string(),
  /** Whether two or more independent sources state input and output, and no more deny them; null: neither is served. */
  is_confirmed: z.boolean().nullable(),
  gone_since: OptionalTimestamp,
  /** The rule that chose the price, then a sentence for each amount. */
  why: z.array(z.string()),
})
export type ServedPrice = z.infer<typeof ServedPrice>

export const ReviewClaim = z.strictObject({
  source: z.string(),
  is_held: z.boolean(),
  resource_id: ResourceId,
  source_key: z.string(),
  /** Where the source says it read the price, an http or https address; null: it says nothing of the kind. */
  source_url: z.string().nullable(),
  version: z.string().nullable(),
  amounts: Amounts,
  currency: z.string().nullable(),
  /** The amounts that have moved since the source first stated the record. */
  moves: z.array(ClaimMove),
  first_seen: Timestamp,
  last_seen: Timestamp,
  data_at: Timestamp,
  gone_since: OptionalTimestamp,
})
export type ReviewClaim = z.infer<typeof ReviewClaim>

/** What the product costs on other platforms, by what all sources say of it. */
export const Peers = z.strictObject({
  /** The median over the platforms; null: too few of them state it. */
  median: Amounts,
  platforms_min: z.int().min(1).max(100),
  platforms: z.array(PeerPlatform).max(200),
})
type ReviewPeers = z.infer<typeof Peers>

/** Rows of one product that are looked at: the largest has some 110 over six sources. */
const peersMax = 1_000
const platformsMax = 200
const ratesMax = 100

/**
 * Reads a hold with its evidence. It looks at the claims of one resource and of its product, and not at all claims: some
 * hundred rows, where judging all of them takes a second.
 * @returns undefined when there is no such hold
 */
export async function readCase(db: Db, id: string): Promise<ReviewCase | undefined> {
  const [hold] = await listHolds(db, { ids: [id] })
  if (!hold) return undefined
  const key = resourceKey(hold.resource_id)
  const [claims, price, loads] = await Promise.all([
    readClaims(db, { keys: [key] }),
    readServed(db, key),
    readLoads(db),
  ])
  const held = claims.find(({ source }) => source === hold.source)
  const ranked = claims.toSorted(
    (a, b) => rankSource(a.source, a.stated.platform) - rankSource(b.source, b.stated.platform),
  )
  const productId = price?.product_id ?? null
  const asked = held ?? claims[0]
  // What is elsewhere is in US dollars.
  const compared = asked !== undefined && isInUsd(asked) ? productId : null
  return {
    hold,
    productId,
    served: price === undefined ? null : toServedPrice(price, claims),
    claims: ranked.map((claim) => toReviewClaim(claim, hold, loads)),
    peers: await readPeers(db, compared, claims[0]?.stated.platform ?? null),
    card: held === undefined ? [] : findMovedRates(held),
  }
}

type ServedRow = NonNullable<Awaited<ReturnType<typeof readServed>>>

function readServed(db: Db, key: string) {
  return db
    .selectFrom('price_standings as standing')
    .innerJoin('prices', 'prices.resource_id', 'standing.resource_id')
    .select(['prices.resource_id', 'product_id', 'currency', 'unit', 'standing.source', 'is_confirmed'])
    .select(['rule', 'evidence', utcTextOrNull('gone_since').as('gone_since')])
    .select(
      amountColumns.map((column) =>
        sql<string | null>`trim_scale(${sql.ref(`prices.${column}`)})::text`.as(column),
      ),
    )
    .where('resource_key', '=', key)
    .executeTakeFirst()
}

function toServedPrice(row: ServedRow, claims: readonly Claim[]): ServedPrice {
  const { resource_id, currency, unit, source, is_confirmed, gone_since } = row
  const amounts = pickAmounts(row)
  const stated = claims.map((claim) => claim.stated)
  const why = [
    ...(row.rule === null ? [] : [ruleText(row.rule as Rule)]),
    ...whyServed(amounts, stated, row.evidence as unknown as Evidence),
  ]
  return { resource_id, amounts, currency, unit, source, is_confirmed, gone_since, why }
}

function toReviewClaim(claim: Claim, hold: StoredHold, loads: ReadonlyMap<string, Load>): ReviewClaim {
  const { source, stated, moves } = claim
  return {
    source,
    is_held: source === hold.source,
    resource_id: stated.resource_id,
    source_key: stated.source_key,
    source_url: webAddress(stated.source_url),
    version: loads.get(source)?.version ?? null,
    amounts: pickAmounts(stated),
    currency: stated.currency,
    moves: amountColumns.flatMap((field) => {
      const move = moves[field]
      return move ? [{ field, before: move.before, since: move.since, decided: move.decided }] : []
    }),
    first_seen: claim.firstSeen,
    last_seen: claim.lastSeen,
    data_at: claim.checkedAt ?? claim.firstSeen,
    gone_since: claim.removedAt ?? claim.goneSince,
  }
}

/** The claims of a product, and what `findPeers` makes of them. */
async function readPeers(db: Db, product: string | null, platform: string | null): Promise<ReviewPeers> {
  const { peerPlatformsMin } = feedPolicy.guards
  const claims = product === null ? [] : await readProductClaims(db, product)
  const peers = findPeers(claims, () => product, feedPolicy)
  const platforms = new Map<string, Amounts>()
  for (const column of amountColumns) {
    for (const [name, amount] of peers.elsewhere(product, platform, column)) {
      const amounts = platforms.get(name) ?? { ...noAmounts }
      platforms.set(name, amounts)
      amounts[column] = decimalText(amount)
    }
  }
  const median = amountColumns.map((column) => [column, decimalText(peers.median(product, platform, column))])
  return {
    median: Object.fromEntries(median) as Amounts,
    platforms_min: peerPlatformsMin,
    platforms: [...platforms]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, platformsMax)
      .map(([name, amounts]) => ({ platform: name, amounts })),
  }
}

/**
 * The claims of the served rows of a product, and of those that a router's own list does not have: they are not served,
 * and count among peers. Those are found by the names of the served ones, which is what linking compares.
 */
async function readProductClaims(db: Db, product: string): Promise<Claim[]> {
  const rows = await db
    .selectFrom('prices')
    .innerJoin('price_standings as standing', 'standing.resource_id', 'prices.resource_id')
    .select('resource_key')
    .where('product_id', '=', product)
    .orderBy('resource_key')
    .limit(peersMax)
    .execute()
  if (rows.length === 0) return []
  const claims = await readClaims(db, { keys: rows.map(({ resource_key }) => resource_key) })
  const names = new Set(claims.map(({ stated }) => nameKey(stated.model_name, stated.vendor)))
  const { rows: unserved } = await sql<{ key: string; name: string; vendor: string }>`
    select distinct resource_key as key, stated->>'model_name' as name, stated->>'vendor' as vendor
    from feed_claims
    where stated->>'platform' = any(${Object.values(officialSources).map(({ platform }) => platform)}) and removed_at is null
      and not exists (select from price_standings where resource_key = feed_claims.resource_key)`.execute(db)
  const keys = unserved.filter(({ name, vendor }) => names.has(nameKey(name, vendor))).map(({ key }) => key)
  return keys.length === 0 ? claims : [...claims, ...(await readClaims(db, { keys }))]
}

/** A median is a figure to compare with: five digits are enough. */
function decimalText(amount: number | null): DecimalText | null {
  if (amount === null) return null
  const digits = Math.min(20, Math.max(0, 4 - Math.floor(Math.log10(amount))))
  const text = amount.toFixed(digits)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function findMovedRates({ cardMove, stated }: Claim): ReviewCase['card'] {
  if (cardMove === null) return []
  return movedRates(cardMove.before, stated.rates)
    .slice(0, ratesMax)
    .map(({ rate, was, is }) => ({
      rate: `${rateName(rate)} ${formatUnit(rate.unit)}`,
      before: was,
      after: is,
    }))
}

/** The products of what is served of these resources; a resource that is missing has none. */
export async function readProducts(db: Db, resourceIds: readonly string[]): Promise<Map<string, string>> {
  const keys = new Map(resourceIds.map((id) => [id, resourceKey(id)]))
  const rows = await db
    .selectFrom('price_standings as standing')
    .innerJoin('prices', 'prices.resource_id', 'standing.resource_id')
    .select(['resource_key', 'product_id'])
    .where('resource_key', '=', sql<string>`any(${[...keys.values()]})`)
    .execute()
  const products = new Map(rows.map(({ resource_key, product_id }) => [resource_key, product_id]))
  return new Map(
    [...keys].flatMap(([id, key]) => {
      const product = products.get(key) ?? null
      return product === null ? [] : [[id, product]]
    }),
  )
}
