import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText, utcTextOrNull } from '../database/keyset.ts'
import { listVersionsOf, type GivenDay, type PriceVersion } from './price-history.ts'
import type { AmountColumn, DecimalText } from './price-record.ts'
import type { Poll, Rule } from './price-rule.ts'
import type { QuotedDocument } from './quoted-document.ts'
import { rateKey, type Rate } from './rate-card.ts'
import { readRateCards } from './rate-cards.ts'

/** A price that begins on a later day, as a source dates it. */
export interface AnnouncedPrice {
  resource_id: string
  source: string
  /** `YYYY-MM-DD` */
  starts_on: string
  amounts: Partial<Record<AmountColumn, DecimalText | null>>
  learned_at: string
}

/** What a source says of a resource now. */
export interface SourceClaim {
  resource_id: string
  source: string
  source_key: string
  source_url: string | null
  amounts: Partial<Record<AmountColumn, DecimalText | null>>
  currency: string | null
  /** By column: since when the source states the present amount. A column that is missing has not moved. */
  since: Partial<Record<AmountColumn, string>>
  first_seen: string
  gone_since: string | null
  /** What the seller's own document says, in its words; null: the source is a data file. */
  document: QuotedDocument | null
  /** The source's name for the state of its data, the newest day that it states, and when it was read last. */
  version: string | null
  data_at: string | null
  read_at: string | null
}

/** Why a price is served. */
export interface PriceStanding {
  resource_id: string
  source: string
  is_confirmed: boolean | null
  gone_since: string | null
  retires_on: string | null
  /** Null: it was decided by a release that did not say. */
  rule: Rule | null
  /** By column. */
  evidence: Record<string, Poll>
}

/** A served rate with who states it. Null: it was decided by a release that did not say. */
export interface JudgedRate extends Rate {
  said_by: Poll['said_by'] | null
  denied_by: Poll['denied_by'] | null
}

/** What was decided of some prices beside their amounts, by resource id. */
export interface Judgements {
  standings: ReadonlyMap<string, PriceStanding>
  /** A resource without a rate card is not in it. */
  cards: ReadonlyMap<string, readonly JudgedRate[]>
}

/** Everything that is stored about some prices, beside the prices. */
export interface ProductDetails extends Judgements {
  announced: readonly AnnouncedPrice[]
  claims: readonly SourceClaim[]
  /** The latest first, by resource. */
  versions: readonly PriceVersion[]
}

const claimsMax = 1_000
const versionsMax = 2_000

/** Five queries, whatever the number of prices. */
export async function readProductDetails(
  db: Db,
  resourceIds: readonly string[],
  given: readonly GivenDay[],
): Promise<ProductDetails> {
  return {
    ...(await readJudgements(db, resourceIds)),
    announced: await readAnnounced(db, resourceIds),
    claims: await readSourceClaims(db, resourceIds),
    versions: await listVersionsOf(db, resourceIds, { given, limit: versionsMax }),
  }
}

/** Two queries, whatever the number of prices. */
export async function readJudgements(db: Db, resourceIds: readonly string[]): Promise<Judgements> {
  const rows = await db
    .selectFrom('price_standings')
    .select(['resource_id', 'source', 'is_confirmed', 'rule', 'evidence', 'rate_evidence'])
    .select(utcTextOrNull('gone_since').as('gone_since'))
    .select(sql<string | null>`retires_on::text`.as('retires_on'))
    .where('resource_id', '=', sql<string>`any(${resourceIds})`)
    .execute()
  const polls = new Map(
    rows.map((row) => [row.resource_id, row.rate_evidence as unknown as Record<string, Poll> | null]),
  )
  const cards = await readRateCards(db, resourceIds)
  return {
    standings: new Map(
      rows.map(({ rate_evidence: _, evidence, rule, ...row }) => [
        row.resource_id,
        { ...row, rule: rule as Rule | null, evidence: evidence as unknown as PriceStanding['evidence'] },
      ]),
    ),
    cards: new Map(
      [...cards].map(([id, rates]) => [
        id,
        rates.map((rate) => {
          const { said_by = null, denied_by = null } = polls.get(id)?.[rateKey(rate)] ?? {}
          return { ...rate, said_by, denied_by }
        }),
      ]),
    ),
  }
}

async function readAnnounced(db: Db, resourceIds: readonly string[]): Promise<AnnouncedPrice[]> {
  const rows = await db
    .selectFrom('scheduled_prices')
    .select(['resource_id', 'source', 'amounts', sql<string>`starts_on::text`.as('starts_on')])
    .select(utcText('learned_at').as('learned_at'))
    .where('resource_id', 'in', resourceIds)
    .where(sql`starts_on`, '>', sql`(ratecard_now() at time zone 'UTC')::date`)
    .orderBy('scheduled_prices.starts_on')
    .orderBy('resource_id')
    .limit(claimsMax)
    .execute()
  return rows.map((row) => ({ ...row, amounts: row.amounts as unknown as AnnouncedPrice['amounts'] }))
}

export async function readSourceClaims(db: Db, resourceIds: readonly string[]): Promise<SourceClaim[]> {
  const rows = await db
    .selectFrom('price_standings as standing')
    .innerJoin('feed_claims as claim', 'claim.resource_key', 'standing.resource_key')
    .leftJoin('feed_sources', 'feed_sources.source', 'claim.source')
    .leftJoinLateral(
      () => lastAppliedRun(db),
      (join) => join.onTrue(),
    )
    .select(['standing.resource_id', 'claim.source', 'loaded.version', 'claim.moves', 'claim.quotes'])
    // Its card and its announced prices are as large as the rest together.
    .select(
      sql<
        SourceClaim['amounts'] & Pick<SourceClaim, 'source_key' | 'source_url' | 'currency'>
      >`claim.stated - 'rates' - 'scheduled' - 'facts'`.as('stated'),
    )
    .select(sql<string | null>`loaded.data_at::text`.as('data_at'))
    .select(utcText('claim.first_seen').as('first_seen'))
    .select(utcTextOrNull('feed_sources.last_observed_at').as('read_at'))
    .select(utcTextOrNull('claim.gone_since').as('gone_since'))
    .where('standing.resource_id', 'in', resourceIds)
    .where('claim.removed_at', 'is', null)
    .orderBy('standing.resource_id')
    .orderBy('claim.source')
    .limit(claimsMax)
    .execute()
  return rows.map(({ stated, moves, quotes, ...row }) => {
    const { source_key, source_url, currency, ...amounts } = stated
    const since = Object.entries(moves as unknown as Record<string, { since: string }>)
    return {
      ...row,
      source_key,
      source_url,
      currency,
      document: quotes as unknown as QuotedDocument | null,
      amounts,
      since: Object.fromEntries(since.map(([column, move]) => [column, move.since])),
    }
  })
}

/** For a lateral join with `feed_sources`: the run that brought what is loaded. */
export function lastAppliedRun(db: Db) {
  return db
    .selectFrom('feed_runs')
    .selectAll()
    .where('feed_runs.source', '=', sql.ref<string>('feed_sources.source'))
    .where('outcome', '=', 'applied')
    .orderBy('observed_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .as('loaded')
}
