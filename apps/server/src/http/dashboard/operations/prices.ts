import { z } from 'zod'
import { listGivenDays } from '../../../catalog/given-days.ts'
import { isServed } from '../../../features/prices/agreement.ts'
import { listVersions, type PriceVersion } from '../../../catalog/price-history.ts'
import { amountColumns, servedColumns, type AmountColumn } from '../../../features/prices/price-record.ts'
import { doubtText, ruleText } from '../../../features/prices/price-rule.ts'
import type { AnnouncedPrice, PriceStanding, SourceClaim } from '../../../catalog/product-store.ts'
import { readModelPrices, readPriceDossier, type WholePrice } from '../../../catalog/record-store.ts'
import { readVersion } from '../../../platform/version.ts'
import { modelPath } from '../../html/words.ts'
import { namesEtag } from '../../pipeline/etag.ts'
import { DashboardError, tooOften } from '../errors.ts'
import { data } from '../form.ts'
import { forMembers } from '../operation.ts'
import { ResourceId } from '../schemas/common.ts'
import { ModelPrices, PriceHistory, PriceRecord, PriceTable } from '../schemas/prices.ts'
import type { Schemas } from '../schemas/index.ts'

export const getPriceTable = forMembers.read(
  'GET /prices',
  { 200: data(PriceTable), 304: true },
  async ({ header, member }, { priceTable }) => {
    const version = await priceTable.readVersion()
    const etag = formatEtag(version)
    if (namesEtag(header('if-none-match'), etag)) return { status: 304, headers: cacheHeaders(etag) }

    const seconds = priceTable.rate.take(member.account.id)
    if (seconds > 0) throw tooOften(seconds, 'The account had the whole table often enough.')
    const table = await priceTable.read(version)
    return { status: 200, json: table, headers: cacheHeaders(formatEtag(table.version)) }
  },
)

/** A newer server may serve more of the same records. */
function formatEtag(version: string): string {
  return `"${version}-${readVersion()}"`
}

function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' }
}

const noSuchRecord = () => new DashboardError('not_found', { message: 'There is no such price record.' })

export const getModelPrices = forMembers.read(
  'GET /model-prices',
  { query: z.strictObject({ model: ResourceId }), 200: data(ModelPrices), errors: ['not_found'] },
  async ({ query }, { db }) => {
    const prices = await readModelPrices(db, query.model)
    if (prices.length === 0) {
      const message = 'There is no such model. Search for its name on the page of prices.'
      throw new DashboardError('not_found', { message })
    }
    return { status: 200, body: { data: { model: query.model, prices: prices.map(wholeBody) } } }
  },
)

export const getPriceRecord = forMembers.read(
  'GET /price-record',
  { query: z.strictObject({ resource_id: ResourceId }), 200: data(PriceRecord), errors: ['not_found'] },
  async ({ query }, { db }) => {
    const dossier = await readPriceDossier(db, query.resource_id)
    if (!dossier) throw noSuchRecord()
    const { record, standing, claims, holds } = dossier
    const { product_id: product, resource_id: id } = record
    return {
      status: 200,
      body: {
        data: {
          ...wholeBody(dossier),
          page: modelPath({ id: product ?? id, isProduct: product !== null }),
          claims: claims.map((claim) => claimBody(claim, record, standing)),
          holds: holds.map(({ before, after, ...hold }) => ({
            source: hold.source,
            reason: hold.reason as Schemas['HoldReason'],
            first_seen: hold.first_seen,
            before: toAmounts(before),
            after: toAmounts(after),
          })),
        },
      },
    }
  },
)

/** All amounts as exact text, those that are not there as null. */
function toAmounts(amounts: AnnouncedPrice['amounts']): Schemas['Amounts'] {
  const all = amountColumns.map((column) => [column, amounts[column] ?? null])
  return Object.fromEntries(all) as Schemas['Amounts']
}

function wholeBody({ record, rates, announced, standing }: WholePrice): Schemas['WholePrice'] {
  return {
    resource_id: record.resource_id,
    product_id: record.product_id,
    vendor: record.vendor,
    platform: record.platform,
    region: record.region,
    modality: record.modality,
    unit: record.unit,
    currency: record.currency,
    amounts: toAmounts(record),
    is_confirmed: standing?.is_confirmed ?? null,
    rule: standing?.rule ?? null,
    rule_text: standing?.rule ? ruleText(standing.rule) : null,
    doubt: standing ? doubtText(standing) : null,
    gone_since: standing?.gone_since ?? null,
    retires_on: standing?.retires_on ?? null,
    rates: rates.map((rate) => ({ ...rate })),
    announced: announced.map(({ starts_on, source, learned_at, amounts }) => ({
      ...{ starts_on, source, learned_at },
      amounts: toAmounts(amounts),
    })),
  }
}

/** What a source states of each amount, since when, and whether it is what is served. */
function claimBody(
  claim: SourceClaim,
  record: WholePrice['record'],
  standing: PriceStanding | undefined,
): Schemas['PriceClaim'] {
  const served = { amounts: record, currency: record.currency }
  const stated = amountColumns.flatMap((field) => {
    const amount = claim.amounts[field]
    if (amount == null) return []
    const since = claim.since[field] ?? null
    return [{ field, amount, since, is_served: isServed(claim, served, field) }]
  })
  return {
    source: claim.source,
    leads: claim.source === standing?.source,
    currency: claim.currency,
    key: claim.source_key,
    url: claim.source_url,
    stated,
    first_seen: claim.first_seen,
    gone_since: claim.gone_since,
    document: claim.document && {
      ...claim.document,
      quotes: claim.document.quotes.map(({ of, ...quote }) => ({ ...quote, of: [...of] })),
    },
    data_at: claim.data_at,
    read_at: claim.read_at,
  }
}

export const getPriceHistory = forMembers.read(
  'GET /price-history',
  { query: z.strictObject({ resource_id: ResourceId }), 200: data(PriceHistory), errors: ['not_found'] },
  async ({ query }, { db }) => {
    const { resource_id } = query
    const versions = await listVersions(db, resource_id, await listGivenDays(db))
    if (versions.length === 0) throw noSuchRecord()
    return {
      status: 200,
      body: {
        data: {
          resource_id,
          versions: versions.map((version, index) => served(version, versions[index + 1])),
        },
      },
    }
  },
)

/** @param before the state that it followed; undefined: it is the first */
function served(version: PriceVersion, before: PriceVersion | undefined) {
  const amounts = amountColumns.map((column) => {
    const text = version[column]
    return [column, text === null ? null : Number(text)]
  })
  return {
    since: version.known_from,
    valid_from: version.valid_from,
    valid_from_by: version.valid_from_by,
    source: version.source,
    moved: before ? servedColumns.filter((column) => version[column] !== before[column]) : [],
    ...(Object.fromEntries(amounts) as Record<AmountColumn, number | null>),
    currency: version.currency,
  }
}
