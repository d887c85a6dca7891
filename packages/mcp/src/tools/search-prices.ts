import { createHash } from 'node:crypto'
import type { Catalog, CatalogRecord } from '@ratecard/cost'
import { z } from 'zod'
import { stampSchema, stampText, words, type Said } from '../answer.ts'
import { ToolError } from '../errors.ts'
import { buildStamp, type PriceSource } from '../prices.ts'
import { toSummary, summarySchema, summaryText } from '../record.ts'

const limitUsual = 20
const limitMax = 50

const input = z.object({
  query: words(200)
    .optional()
    .describe('words that the id, the product or an alias has, such as "sonnet 4.5"'),
  vendor: words(100).optional().describe('who made the model: openai, anthropic, google, …'),
  platform: words(100).optional().describe('who is paid: openai, bedrock, vertex_ai, azure, openrouter, …'),
  modality: words(50).optional().describe('llm, embedding, image, audio, video, rerank, …'),
  product: words(300).optional().describe('the product on all platforms, such as openai/gpt-4o-mini'),
  sort: z
    .enum(['relevance', 'input_per_mtok', 'output_per_mtok'])
    .default('relevance')
    .describe('a price: the cheapest first, by currency; unknown ones are left out'),
  limit: z.int().min(1).max(limitMax).default(limitUsual),
  cursor: words(100).optional().describe('next_cursor of the page before, with the same filters'),
})

const output = z.object({
  prices: z.array(summarySchema),
  total: z.number().int().describe('how many records there are with these filters'),
  next_cursor: z.string().nullable(),
  catalog: stampSchema,
})

type Asked = z.output<typeof input>

export const searchPrices = {
  name: 'search_prices',
  title: 'Search prices of AI models',
  description:
    'Lists prices of AI models: filters are exact, the query looks for words. Answers pages; uses no request of the quota. For the cost of a usage use cost_of, for what one model name means resolve_model.',
  input,
  output,
  run: (source: PriceSource) => async (asked: Asked) => searched(asked, source),
}

async function searched(asked: Asked, source: PriceSource): Promise<Said<z.input<typeof output>>> {
  const prices = await source.get()
  const { catalog } = prices
  const found = sorted(catalog.records().filter(buildFilter(asked)), asked)
  const from = readOffset(asked, catalog)
  const page = found.slice(from, from + asked.limit).map(toSummary)
  const end = from + page.length
  const structured = {
    prices: page,
    total: found.length,
    next_cursor: end < found.length ? `${end}.${buildMark(asked, catalog)}` : null,
    catalog: buildStamp(prices),
  }
  const head =
    found.length === 0
      ? 'No record has all of this. Use fewer words or filters; resolve_model tells what a name means.'
      : `Records ${Math.min(from + 1, end)} to ${end} of ${found.length}:`
  const more = structured.next_cursor === null ? [] : [`More: cursor ${structured.next_cursor}`]
  return {
    structured,
    text: [head, ...page.map(summaryText), ...more, stampText(structured.catalog)].join('\n'),
  }
}

function buildFilter({ query, vendor, platform, modality, product }: Asked) {
  const wanted = (query ?? '').split(/\s+/).filter(Boolean).map(spelled)
  const isSame = (asked: string | undefined, has: string | null) =>
    asked === undefined || has?.toLowerCase() === asked.toLowerCase()
  return (record: CatalogRecord) => {
    if (!isSame(vendor, record.vendor) || !isSame(platform, record.platform)) return false
    if (!isSame(modality, record.modality) || !isSame(product, record.product_id)) return false
    if (wanted.length === 0) return true
    const { resource_id, product_id, aliases = [] } = record
    const names = [resource_id, product_id, record.vendor, ...aliases.map(({ model_name }) => model_name)]
    const text = spelled(names.join(' '))
    return wanted.every((word) => text.includes(word))
  }
}

/** People write 4.5 where an id has 4-5. */
function spelled(text: string): string {
  return text.toLowerCase().replaceAll(/[._]/g, '-')
}

function sorted(records: CatalogRecord[], { sort }: Asked): CatalogRecord[] {
  const byId = (a: CatalogRecord, b: CatalogRecord) => (a.resource_id < b.resource_id ? -1 : 1)
  if (sort === 'relevance') {
    // The maker's own platform first, and the shortest name: it is mostly meant.
    const rank = ({ platform, vendor, gone_since }: CatalogRecord) =>
      (platform === vendor ? 0 : 1) + (gone_since == null ? 0 : 2)
    return records.sort(
      (a, b) => rank(a) - rank(b) || a.resource_id.length - b.resource_id.length || byId(a, b),
    )
  }
  return records
    .filter((record) => record[sort] !== null && record.currency !== null)
    .sort(
      (a, b) =>
        String(a.currency).localeCompare(String(b.currency)) ||
        Number(a[sort]) - Number(b[sort]) ||
        byId(a, b),
    )
}

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
