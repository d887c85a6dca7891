import { readFile } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

// Starts an MCP server, or finds it by its address, as a client's configuration says, and asks each of its tools: node ask-mcp.mjs <file>

const { mcpServers, servers = mcpServers } = JSON.parse(await readFile(process.argv[2], 'utf8'))
const { command, args, env = {}, url } = servers.ratecard
// What a reader puts in place of the address and the key.
for (const name of Object.keys(env)) env[name] = process.env[name]

const client = new Client({ name: 'clean-room', version: '1' })
await client.connect(
  url === undefined
    ? new StdioClientTransport({ command, args, env: { PATH: process.env.PATH, ...env } })
    : new StreamableHTTPClientTransport(new URL(`${process.env.RATECARD_BASE_URL}/mcp`)),
)
const { tools } = await client.listTools()
const usage = { counts: { input_tokens: 1_000_000 } }
const asked = {
  search_prices: { vendor: 'openai', query: 'gpt-4o-mini', limit: 2 },
  get_price: { resource_id: 'openai:gpt-4o-mini' },
  resolve_model: { name: 'gpt-4o-mini', platform: 'openai' },
  cost_of: { usage, model: 'gpt-4o-mini', platform: 'openai' },
  list_changes: { limit: 2 },
}
for (const { name } of tools) {
  if (name === 'list_changes' && env.RATECARD_API_KEY === undefined) continue
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: asked[name] })
  const text = JSON.stringify([content, structuredContent])
  if (isError || text.includes(process.env.RATECARD_API_KEY)) throw new Error(`${name}: ${content[0].text}`)
  const { catalog, total, requests_used } = structuredContent
  console.log(name, catalog?.origin ?? '', total ?? '', requests_used ?? '')
}
await client.close()
