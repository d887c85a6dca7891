import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Ratecard } from '@ratecard/sdk'
import { register } from './answer.ts'
import { Budget } from './budget.ts'
import { PriceSource } from './prices.ts'
import { registerResources } from './resources.ts'
import type { Settings } from './settings.ts'
import { costOfTool } from './tools/cost-of.ts'
import { getPrice } from './tools/get-price.ts'
import { listChanges } from './tools/list-changes.ts'
import { resolveModel } from './tools/resolve-model.ts'
import { searchPrices } from './tools/search-prices.ts'

const instructions =
  'Prices of AI models, and what a use of them costs. Amounts are exact decimals as text. An unknown price is not 0: say that it is unknown. One model costs different amounts on different platforms: ask which one is paid. Every answer says how old its prices are; say so where it matters, and pass on the note of the catalog.'

/** More elements than any usage object has. */
const elementsMax = 10_000

/** The server, not yet connected. */
export function createServer(settings: Settings, version: string): McpServer {
  const server = new McpServer(
    { name: 'ratecard', title: 'Ratecard: prices of AI models', version },
    { instructions, maxToolInputElements: elementsMax },
  )
  const budget = new Budget(settings.requestsPerDayMax)
  const client = createClient(settings, budget)
  const source = new PriceSource(settings, client, budget)
  const { apiKey } = settings
  register(server, apiKey, { ...searchPrices, run: searchPrices.run(source) })
  register(server, apiKey, { ...getPrice, run: getPrice.run(source) })
  register(server, apiKey, { ...resolveModel, run: resolveModel.run(source) })
  register(server, apiKey, { ...costOfTool, run: costOfTool.run(source) })
  register(server, apiKey, { ...listChanges, run: listChanges.run({ client, budget }) })
  registerResources(server, source)
  return server
}

/** A client that tells the budget of each request; null where there is no key or no server. */
function createClient(settings: Settings, budget: Budget): Ratecard | null {
  const { baseUrl, apiKey, allowHttp } = settings
  if (baseUrl === null || apiKey === null) return null
  return new Ratecard({
    baseUrl,
    apiKey,
    allowHttp,
    // Somebody waits for the answer.
    maxRetries: 1,
    timeoutMs: 20_000,
    maxRetryAfterMs: 5_000,
    hooks: { onRequest: () => budget.count() },
  })
}
