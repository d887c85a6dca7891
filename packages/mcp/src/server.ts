import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Ratecard } from '@ratecard/sdk'
import { register } from './answer.ts'
import { Budget } from './budget.ts'
import { report } from './errors.ts'
import { LocalPrices } from './local-prices.ts'
import type { Settings } from './settings.ts'
import { createToolServer } from './tool-server.ts'
import { listChanges } from './tools/list-changes.ts'

/** The server of this program, not yet connected. */
export function createServer(settings: Settings, version: string): McpServer {
  const budget = new Budget(settings.requestsPerDayMax)
  const client = createClient(settings, budget)
  const telling = { secret: settings.apiKey, report }
  const source = new LocalPrices(settings, client, budget)
  const server = createToolServer(source, version, telling)
  register(server, telling, { ...listChanges, run: listChanges.run({ client, budget }) })
  // The first call comes seconds later.
  server.server.oninitialized = () => source.begin()
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
