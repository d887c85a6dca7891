import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, onTestFinished } from 'vitest'
import type { z } from 'zod'
import { createFakeRatecard, type FakeRatecard } from '../../sdk/src/testing.ts'
import { costOfTool } from '../src/tools/cost-of.ts'
import { getPrice } from '../src/tools/get-price.ts'
import { listChanges } from '../src/tools/list-changes.ts'
import { resolveModel } from '../src/tools/resolve-model.ts'
import { searchPrices } from '../src/tools/search-prices.ts'

/** The program as it is published. */
export const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
if (!existsSync(program)) throw new Error('There is no dist/cli.js: run "pnpm build" first.')

/** The official client, with the program on the other end of its stdin and stdout. */
export async function connect(env: Record<string, string>, args: string[] = []) {
  const opened = await open(env, args)
  onTestFinished(() => opened.client.close())
  return opened
}

async function open(env: Record<string, string> = {}, args: string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  })
  let log = ''
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  // From now on the client holds each answer against the schema of its tool.
  await client.listTools()
  return {
    client,
    transport,
    log: () => log,
    call: <Name extends ToolName>(name: Name, input: Record<string, unknown> = {}) =>
      called(client, name, input),
  }
}

let shared: ReturnType<typeof open> | undefined

/** One without a server, for all tests of a file. */
export function offline() {
  return (shared ??= open())
}

afterAll(async () => (await shared)?.client.close())

async function called<Name extends ToolName>(client: Client, name: Name, input: Record<string, unknown>) {
  const result = (await client.callTool({ name, arguments: input })) as CallToolResult
  // In the list of tools a client finds the outline of this.
  if (!result.isError) answers[name].parse(result.structuredContent)
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  return {
    isError: result.isError ?? false,
    text,
    said: result.structuredContent as unknown as Answers[Name],
    result,
  }
}

const answers = {
  search_prices: searchPrices.output,
  get_price: getPrice.output,
  resolve_model: resolveModel.output,
  cost_of: costOfTool.output,
  list_changes: listChanges.output,
}

/** What each tool answers to programs. */
type Answers = { [Name in keyof typeof answers]: z.output<(typeof answers)[Name]> }

export type ToolName = keyof Answers

export interface Served {
  fake: FakeRatecard
  url: string
  env: Record<string, string>
  /** What was asked besides the API. */
  files: string[]
}

/** A Ratecard over HTTP: the fake of the SDK, with a snapshot beside it where a test has one. */
export async function serve(snapshot?: () => object, fake = createFakeRatecard()): Promise<Served> {
  const files: string[] = []
  const server = createServer((request, response) => {
    const { url = '', method = 'GET', headers } = request
    if (!url.startsWith('/v1/')) {
      files.push(url)
      response.writeHead(snapshot === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(snapshot === undefined ? '{}' : JSON.stringify(snapshot()))
      return
    }
    const { authorization = '' } = headers
    void fake
      .fetch(`${fake.baseUrl}${url}`, {
        method,
        headers: { authorization },
        body: null,
        redirect: 'manual',
      } as never)
      .then(async (answer) => {
        response.writeHead(
          answer.status,
          Object.fromEntries(answer.headers as unknown as Iterable<[string, string]>),
        )
        response.end(await answer.text())
      })
  })
  const url = await listen(server)
  return { fake, url, files, env: { RATECARD_BASE_URL: url, RATECARD_API_KEY: fake.apiKey } }
}

export async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A snapshot of so many models of a vendor, each a cent dearer than the one before. */
export function snapshotOf(count: number) {
  const resources = Array.from({ length: count }, (_, index) => ({
    resource_id: `acme:model-${index}`,
    product_id: `acme/model-${index}`,
    vendor: 'acme',
    platform: 'acme',
    modality: 'llm',
    region: null,
    input_per_mtok: `${1 + index / 100}`,
    output_per_mtok: null,
    cached_input_per_mtok: null,
    image_per_unit: null,
    audio_per_min: null,
    video_per_sec: null,
    currency: 'USD',
    source_url: null,
    effective_at: '2026-01-01',
    updated_at: '2026-01-01T00:00:00.000000Z',
    rates: [],
    announced: [],
    aliases: [],
  }))
  return {
    format: 'ratecard-snapshot',
    format_version: 1,
    generated_at: new Date().toISOString(),
    as_of: null,
    catalog_version: '7',
    resource_count: count,
    resources,
  }
}
