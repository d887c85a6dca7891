import type { Catalog } from '@ratecard/cost'
import { z } from 'zod'
import { short, stampSchema, stampText, words } from '../answer.ts'
import { ToolError } from '../errors.ts'
import { buildStamp, type PriceSource } from '../prices.ts'
import { toFullRecord, recordSchema, recordText } from '../record.ts'
import { resolveName } from '../resolve-name.ts'

const input = z.strictObject({
  resource_id: words(512).describe('of search_prices or resolve_model, as it is'),
})
const output = z.object({ price: recordSchema, catalog: stampSchema })

export const getPrice = {
  name: 'get_price',
  title: 'One price record',
  description:
    'One record with its whole rate card: tiers, cache writes, long prompts, searches; with announced prices, aliases and source.',
  input,
  output,
  run:
    (source: PriceSource) =>
    async ({ resource_id: id }: z.output<typeof input>) => {
      const prices = await source.get()
      const record = prices.catalog.get(id)
      if (record === undefined) throw new ToolError(missing(id, prices.catalog))
      const structured = { price: toFullRecord(record), catalog: buildStamp(prices) }
      return { structured, text: `${recordText(structured.price)}\n${stampText(structured.catalog)}` }
    },
}

function missing(id: string, catalog: Catalog): string {
  const found = resolveName(id, { catalog })
  const meant = found.isResolved ? [found.record.resource_id] : found.candidates.slice(0, 10)
  const hint =
    meant.length === 0 ? 'Look for it with search_prices.' : `It may be one of these: ${meant.join(', ')}.`
  return `There is no record "${short(id, 200)}". ${hint}`
}
