import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Catalog } from '@ratecard/cost'
import { buildStamp, type PriceSource } from './prices.ts'
import { toFullRecord } from './record.ts'

const mimeType = 'application/json'
const namesMax = 100
const completionsMax = 20

/** What a user may put into a conversation: the state of the prices, and one record. */
export function registerResources(server: McpServer, source: PriceSource): void {
  server.registerResource(
    'catalog',
    'ratecard://catalog',
    {
      title: 'The list of prices',
      description: 'Where the prices come from, how old they are, and which vendors and platforms they have.',
      mimeType,
    },
    async ({ href: uri }) => {
      const prices = await source.get()
      const { catalog } = prices
      const overview = {
        catalog: buildStamp(prices),
        records: catalog.size,
        vendors: countMost(catalog, 'vendor'),
        platforms: countMost(catalog, 'platform'),
      }
      return { contents: [{ uri, mimeType, text: JSON.stringify(overview, null, 2) }] }
    },
  )
  const complete = async (begin: string) => {
    const { catalog } = await source.get()
    const ids = catalog.records().map(({ resource_id: id }) => id)
    return ids.filter((id) => id.startsWith(begin)).slice(0, completionsMax)
  }
  server.registerResource(
    'price',
    new ResourceTemplate('ratecard://prices/{resource_id}', {
      list: undefined,
      complete: { resource_id: complete },
    }),
    { title: 'One price record', description: 'A record with its rate card, by its resource_id.', mimeType },
    async ({ href: uri }, { resource_id: given }) => {
      const prices = await source.get()
      const record = prices.catalog.get(decoded(String(given)))
      if (record === undefined)
        throw new McpError(
          ErrorCode.InvalidParams,
          'There is no such record: look for it with search_prices.',
        )
      const text = JSON.stringify({ price: toFullRecord(record), catalog: buildStamp(prices) }, null, 2)
      return { contents: [{ uri, mimeType, text }] }
    },
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Names with how many records they have, the most first. */
function countMost(catalog: Catalog, field: 'vendor' | 'platform'): Record<string, number> {
  const counts = new Map<string, number>()
  for (const record of catalog.records()) {
    const name = record[field] ?? 'unknown'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, namesMax))
}
