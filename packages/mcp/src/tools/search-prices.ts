import { hasRetired } from '@ratecard/contract/wording'
import { createHash } from 'node:crypto'
import type { Catalog, CatalogRecord } from '@ratecard/cost'
import { z } from 'zod'
import { stampSchema, stampText, words, type Said } from '../answer.ts'
import { ToolError } from '../errors.ts'
import { buildStamp, type PriceSource } from '../prices.ts'
import { summarySchema, summaryText, toSummary } from '../record.ts'
import { searchRecords } from '../search.ts'

const limitUsual = 20
const limitMax = 50

const orders = {
  relevance: 'the best match first',
  input_per_mtok: 'the cheapest input first',
  output_per_mtok: 'the cheapest output first',
}
type Order = keyof typeof orders

const input = z.strictObject({
  query: words(200).optional().describe('words of a name: "sonnet 4.5", "gpt4o"'),
  vendor: words(100).optional().describe('who made the model: openai, anthropic, google, …'),
  platform: words(100).optional().describe('who is paid: openai, bedrock, vertex_ai, azure, openrouter, …'),
  modality: words(50).optional().describe('llm, embedding, image, audio, video, rerank, …'),
  product: words(300).optional().describe('the product on all platforms, such as openai/gpt-4o-mini'),
  sort: z
    .enum(Object.keys(orders) as [Order, ...Order[]])
    .optional()
    .describe(
      'a price: the cheapest first, by currency. Default: relevance with a query, else input_per_mtok',
    ),
  limit: z.int().min(1).max(limitMax).default(limitUsual),
  cursor: words(100).optional().describe('next_cursor of the page before, with the same filters'),
})

const output = z.object({
  prices: z.array(summarySchema),
  sorted_by: z.string(),
  total: z.number().int().describe('how many records there are with these filters'),
  next_cursor: z.string().nullable(),
  catalog: stampSchema,
})

type Asked = z.output<typeof input>

export const searchPrices = {
  name: 'search_prices',
  title: 'Search prices of AI models',
  description:
    'Lists prices of AI models: filters are exact, the query looks for words. Without a query the cheapest come first. Answers pages. For the cost of a usage use cost_of, for what one model name means resolve_model.',
  input,
  output,
  run: (source: PriceSource) => async (asked: Asked) => searched(asked, source),
}

async function searched(asked: Asked, source: PriceSource): Promise<Said<z.input<typeof output>>> {
  const prices = await source.get()
  const { catalog } = prices
  const order = asked.sort ?? (asked.query === undefined ? 'input_per_mtok' : 'relevance')
  const found = sorted(findRecords(catalog.records(), asked), order)
  const from = readOffset(asked, catalog)
  const page = found.slice(from, from + asked.limit).map(toSummary)
  const end = from + page.length
  const structured = {
    prices: page,
    sorted_by: order,
    total: found.length,
    next_cursor: end < found.length ? `${end}.${buildMark(asked, catalog)}` : null,
    catalog: buildStamp(prices),
  }
  const head =
    found.length === 0
      ? 'No record has all of this. Use fewer words or filters; resolve_model tells what a name means.'
      : `Records ${Math.min(from + 1, end)} to ${end} of ${found.length}, ${orders[order]}:`
  const more = structured.next_cursor === null ? [] : [`More: cursor ${structured.next_cursor}`]
  return {
    structured,
    text: [head, ...page.map(summaryText), ...more, stampText(structured.catalog)].join('\n'),
  }
}

/** What has all that is asked for, the best match first. */
function findRecords(
  records: readonly CatalogRecord[],
  { query = '', vendor, platform, modality, product }: Asked,
): CatalogRecord[] {
  const isSame = (asked: string | undefined, has: string | null) =>
    asked === undefined || has?.toLowerCase() === asked.toLowerCase()
  const fitting = records.filter(
    (record) =>
      isSame(vendor, record.vendor) &&
      isSame(platform, record.platform) &&
      isSame(modality, record.modality) &&
      isSame(product, record.product_id),
  )
  // Of equal matches the maker's own, and the shortest name: it is mostly meant.
  const rank = ({ platform: seller, vendor: maker }: CatalogRecord) => (seller === maker ? 0 : 1)
  const usual = fitting.sort(
    (a, b) => rank(a) - rank(b) || a.resource_id.length - b.resource_id.length || byId(a, b),
  )
  return searchRecords(usual, query)
}

/** What nobody sells any more comes last, and of the rest what has no such price. Currencies are not compared. */
function sorted(records: CatalogRecord[], order: Order): CatalogRecord[] {
  const last = (record: CatalogRecord) =>
    record.gone_since != null || (record.retires_on != null && hasRetired(record.retires_on))
      ? 2
      : order !== 'relevance' && record[order] === null
        ? 1
        : 0
  const byPrice = (a: CatalogRecord, b: CatalogRecord) => {
    if (order === 'relevance') return 0
    const other = order === 'input_per_mtok' ? 'output_per_mtok' : 'input_per_mtok'
    return (
      String(a.currency).localeCompare(String(b.currency)) ||
      Number(a[order]) - Number(b[order]) ||
      Number(a[other]) - Number(b[other]) ||
      byId(a, b)
    )
  }
  return records.sort((a, b) => last(a) - last(b) || byPrice(a, b))
}

const byId = (a: CatalogRecord, b: CatalogRecord) => (a.resource_id < b.resource_id ? -1 : 1)

/** A cursor holds for one question to one state of the prices: else rows would come twice, or never. */
function buildMark({ limit: _, cursor: __, ...question }: Asked, { version }: Catalog): string {
  return createHash('sha256')
    .update(JSON.stringify([version, question]))
    .digest('base64url')
    .slice(0, 12)
}

function readOffset(asked: Asked, catalog: Catalog): number {
  if (asked.cursor === undefined) return 0
  const [, offset, mark] = /^(\d{1,7})\.([\w-]{12})$/.exec(asked.cursor) ?? []
  if (offset === undefined || mark !== buildMark(asked, catalog))
    throw new ToolError(
      'This cursor is of another question, or the prices have moved since. Ask again without a cursor.',
    )
  return Number(offset)
}
