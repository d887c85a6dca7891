import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { register, type Telling } from './answer.ts'
import type { PriceSource } from './prices.ts'
import { registerResources } from './resources.ts'
import { costOfTool } from './tools/cost-of.ts'
import { getPrice } from './tools/get-price.ts'
import { resolveModel } from './tools/resolve-model.ts'
import { searchPrices } from './tools/search-prices.ts'

const instructions =
  'Prices of AI models, and what a use of them costs. Amounts are exact decimals as text. An unknown price is not 0: say that it is unknown. One model costs different amounts on different platforms: ask which one is paid. Every answer says how old its prices are; say so where it matters, and pass on the note of the catalog.'

/** More elements than any usage object has. */
const elementsMax = 10_000

/** A server with all that prices answer, not yet connected: on somebody's machine, and in a Ratecard. */
export function createToolServer(source: PriceSource, version: string, telling: Telling): McpServer {
  const server = new McpServer(
    { name: 'ratecard', title: 'Ratecard: prices of AI models', version },
    { instructions, maxToolInputElements: elementsMax },
  )
  register(server, telling, { ...searchPrices, run: searchPrices.run(source) })
  register(server, telling, { ...getPrice, run: getPrice.run(source) })
  register(server, telling, { ...resolveModel, run: resolveModel.run(source) })
  register(server, telling, { ...costOfTool, run: costOfTool.run(source) })
  registerResources(server, source)
  return server
}
