import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openSockets } from './abuse/attacker.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi, type TestApi } from './support/api.ts'
import { makeKeptFiles } from './support/kept-files.ts'
import { useDatabase } from './support/postgres.ts'
import { send } from './support/raw-http.ts'

// The tools of @ratecard/mcp at /mcp, for anybody, asked by the official client.

const database = useDatabase()
const trusting = { env: { TRUSTED_PROXIES: '127.0.0.0/8', CORS_ORIGINS: 'https://app.example' } }
const api = useApi(database, trusting)
beforeAll(async () => {
  await storePrices(database.db, [
    priceRecord({ resource_id: 'acme:alpha' }),
    priceRecord({ resource_id: 'acme:beta', product_id: 'acme/beta', input_per_mtok: '0.1' }),
  ])
  await makeKeptFiles(database.db)
})

async function connect({ url }: TestApi, address = '198.51.100.1'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { 'x-forwarded-for': address }
  // Its type has a field that may be undefined, and the interface's may not.
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { structuredContent, isError = false } = (await client.callTool({
    name,
    arguments: input,
  })) as CallToolResult
  return { isError, said: structuredContent as Record<string, unknown> }
}

interface Sent {
  body?: string
  method?: string
  headers?: Record<string, string>
}

const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** By hand. */
function ask({ body = listing, method = 'POST', headers = {} }: Sent = {}): Promise<Response> {
  return fetch(`${api.url}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': '198.51.100.9',
      ...headers,
    },
    ...(method === 'POST' && { body }),
  })
}

describe('the official client', () => {
  test('finds the tools that need no key, and all of them only read', async () => {
    const { tools } = await (await connect(api)).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search_prices', 'get_price', 'resolve_model', 'cost_of'])
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true })
  })

  test('is answered from the prices of this server', async () => {
    const client = await connect(api)
    const { said } = await call(client, 'search_prices', { platform: 'acme', sort: 'input_per_mtok' })
    expect(said).toMatchObject({
      prices: [{ resource_id: 'acme:beta' }, { resource_id: 'acme:alpha' }],
      catalog: { origin: 'url', note: null },
    })
    const usage = { counts: { input_tokens: 1_000_000, output_tokens: 1_000_000 } }
    expect((await call(client, 'cost_of', { usage, model: 'acme:alpha' })).said).toMatchObject({
      total: '1.45',
    })
    expect((await call(client, 'get_price', { resource_id: 'acme:nothing' })).isError).toBe(true)
  })

  test('reads the state of the prices, and completes an id', async () => {
    const client = await connect(api)
    const { contents } = await client.readResource({ uri: 'ratecard://catalog' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ vendors: { acme: 2 } })
  })
})

test('/llms.txt and the reference name the address', async () => {
  for (const path of ['/llms.txt', '/docs/'])
    expect(await (await fetch(api.url + path)).text()).toContain('/mcp')
})

describe('what an agent could do besides', () => {
  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s opens no stream and ends no session', async (method) => {
    const answer = await ask({ method, headers: { accept: 'text/event-stream' } })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('a page of another origin gets nothing; one that is configured and our own do', async () => {
    const foreign = await ask({ headers: { origin: 'https://evil.example' } })
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { jsonrpc: '2.0', id: null }])
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    const known = await ask({ headers: { origin: 'https://app.example' } })
    expect([known.status, known.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example',
    ])
    // By its PUBLIC_URL, which is its port on localhost here.
    const own = `http://localhost:${new URL(api.url).port}`
    expect((await ask({ headers: { origin: own } })).status).toBe(200)
  })

  test.each([
    ['no JSON', 'what do tokens cost?', 400],
    ['a list of calls', `[${listing},${listing}]`, 400],
    ['no message', '{"hello":"world"}', 400],
    ['more than it reads', JSON.stringify({ text: 'x'.repeat(20_000) }), 413],
  ])('%s is refused', async (_, body, status) => {
    const answer = await ask({ body })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toMatch(/"message":"[A-Z]/)
  })

  test('a body of another type is refused, and an announced one of a gigabyte is not waited for', async () => {
    expect((await ask({ headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    const type = 'Content-Type: application/json'
    const { status } = await send(api.url, 'POST /mcp', type, 'Content-Length: 1073741824')
    expect(status).toBe(413)
  })

  test('what no tool takes is refused with a sentence, and the next call is answered', async () => {
    const client = await connect(api, '198.51.100.3')
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`) as object
    for (const input of [
      { usage: deep },
      { usage: { counts: { input_tokens: -1 } }, model: 'acme:alpha' },
      {},
    ])
      expect((await call(client, 'cost_of', input)).isError).toBe(true)
    const name = `${'a/'.repeat(250)}[1m]`
    expect((await call(client, 'resolve_model', { name })).said).toMatchObject({ is_resolved: false })
  })

  test('bodies that never come keep neither tools nor pages from others', async () => {
    const slow = await openSockets(api.url, 80)
    const head = ['POST /mcp HTTP/1.1', 'Host: ratecard.example', 'Content-Type: application/json']
    for (const [index, socket] of slow.entries())
      socket.write(
        `${[...head, `X-Forwarded-For: 203.0.113.${index}`, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`,
      )
    expect((await ask()).status).toBe(200)
    expect((await fetch(`${api.url}/models`)).status).toBe(200)
    for (const socket of slow) socket.destroy()
  })

  test('a network that floods is refused, and another is answered', async () => {
    const flood = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const answer = await ask({ headers: { 'x-forwarded-for': `2001:db8:1:2::${index + 1}` } })
        await answer.arrayBuffer()
        return answer.status
      }),
    )
    expect(flood).toContain(200)
    expect(flood.filter((status) => status === 503).length).toBeGreaterThan(50)
    expect((await ask({ headers: { 'x-forwarded-for': '198.51.100.4' } })).status).toBe(200)
  })
})
