import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { createCustomer } from './support/actors.ts'
import { authorityFile } from './support/certificates.ts'
import { request } from './support/client.ts'
import { becomeReady } from './support/load.ts'
import { startOtlpReceiver, type OtlpReceiver } from './support/otlp-receiver.ts'
import { useDatabase } from './support/postgres.ts'
import { litellmFile, startPriceSite, type PriceSite } from './support/price-site.ts'
import { startServer, type ServerProcess } from './support/process.ts'
import { startReceiver, type Receiver } from './support/receiver.ts'

// Traces of a real server, by what a receiver of them gets.

const database = useDatabase()
const secret = 'a secret of sixteen'
const secretsKey = generateSecretsKey()
const soon = { timeout: 60_000, interval: 50 }
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

let otlp: OtlpReceiver
let site: PriceSite
let receiver: Receiver
beforeAll(async () => {
  otlp = await startOtlpReceiver()
  site = await startPriceSite()
  receiver = await startReceiver()
})
afterAll(() => Promise.all([otlp.close(), site.close(), receiver.close()]))

const environment = (env: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  SECRETS_KEY: secretsKey,
  ...env,
})

/** Files of OpenTelemetry that a process loads. */
async function watchLoading(): Promise<{ env: Record<string, string>; loaded: () => Promise<string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-loading-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'loaded')
  const hook = `
    import { registerHooks } from 'node:module'
    import { appendFileSync } from 'node:fs'
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context)
        const from = context.parentURL ?? ''
        // prom-client and better-auth load the interface, which does nothing by itself.
        const isTheirs = found.url.includes('/@opentelemetry/api/') && from.includes('/node_modules/')
        if (found.url.includes('/@opentelemetry/') && !isTheirs) appendFileSync(${JSON.stringify(file)}, found.url + '\\n')
        return found
      },
    })`
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    loaded: () => readFile(file, 'utf8').catch(() => ''),
  }
}

async function listPrices(server: ServerProcess, key: string, headers = {}): Promise<string | null> {
  const answer = await request(server.url, '/v1/prices', { key, headers })
  expect(answer.status).toBe(200)
  return answer.headers.get('x-request-id')
}

const spanOf = (id: string | null, name: string) =>
  otlp.spans.find((span) => span.name === name && span.attributes['ratecard.request_id'] === id)

test('nothing that makes or sends spans is loaded until traces are asked for', async () => {
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const off = await watchLoading()
  const without = await startServer(environment(off.env))
  await becomeReady([without])
  await listPrices(without, key)
  await listPrices(without, key)
  expect(await without.stop()).toBe(0)
  expect(await off.loaded()).toBe('')
  const on = await watchLoading()
  const traced = await startServer(environment({ ...on.env, OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }), [
    '--no-worker',
  ])
  await becomeReady([traced])
  expect(await on.loaded()).toContain('@opentelemetry/sdk-trace')
  expect(await traced.stop()).toBe(0)
})

test('a request, its batch and statements, a run and a delivery are spans, and hold no secret', async () => {
  site.serve(litellmFile({ 'gpt-9': [5, 20] }))
  const server = await startServer(
    environment({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${otlp.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the%20receiver',
      OTEL_SERVICE_NAME: 'prices-of-acme',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: authorityFile,
      FEED_SOURCES: JSON.stringify([{ source: 'litellm', url: site.url, every: '1s' }]),
    }),
  )
  await becomeReady([server])
  const { key, accountId } = await createCustomer(database.db, { plan: 'developer' })
  const body = { url: `${receiver.url}/hook?token=hidden-in-the-query`, secret, events: ['change.alert'] }
  const headers = { traceparent, 'x-request-id': 'of-the-proxy/7' }
  const created = await request(server.url, '/v1/webhooks', { key, method: 'POST', body, headers })
  expect(created.status).toBe(201)
  const longWay = await listPrices(server, key)
  const fastPath = await listPrices(server, key)
  const wrong = await request(server.url, '/v1/prices?api_key=hidden-as-well', { key })
  expect(wrong.status).toBe(400)

  const outcome = () =>
    otlp.spans
      .filter(({ name }) => name === 'feed run')
      .map(({ attributes }) => attributes['ratecard.outcome'])
  await expect.poll(outcome, soon).toContain('applied')
  site.serve(litellmFile({ 'gpt-9': [7, 28] }))
  const [delivery] = await receiver.waitFor(1)
  const delivered = () => otlp.spans.find(({ name }) => name === 'deliver')
  await expect.poll(delivered, soon).toBeDefined()

  const post = spanOf(created.headers.get('x-request-id'), 'POST createWebhook')
  expect(post).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 })
  expect(post?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'ratecard.operation': 'createWebhook',
    'ratecard.request_id': created.headers.get('x-request-id'),
  })
  const partsOf = (id: string | undefined) => otlp.spans.filter(({ parentSpanId }) => parentSpanId === id)
  const statements = partsOf(post?.spanId)
  expect(statements.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['BEGIN', 'SELECT reserve_units', 'INSERT webhooks', 'COMMIT']),
  )
  for (const { traceId: own, kind } of statements) expect([own, kind]).toEqual([traceId, 3])

  for (const id of [longWay, fastPath]) {
    const span = spanOf(id, 'GET listPrices')
    expect(span?.parentSpanId ?? '').toBe('')
    const batch = partsOf(span?.spanId).filter(({ name }) => name === 'SELECT reserve_units')
    expect(batch).toHaveLength(1)
    expect(batch[0]?.attributes['ratecard.batch.requests']).toBe(1)
  }
  expect(spanOf(wrong.headers.get('x-request-id'), 'GET listPrices')?.attributes['error.type']).toBe(
    'invalid_request',
  )

  const sent = delivered()
  expect(sent).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': 200 } })
  expect(sent?.parentSpanId ?? '').toBe('')
  // A customer's endpoint is a stranger: it is told of no trace.
  expect(delivery!.headers.traceparent).toBeUndefined()

  expect([...otlp.services]).toContain('prices-of-acme')
  expect(otlp.headers.at(-1)?.['api-key']).toBe('of the receiver')
  for (const hidden of [key, secret, 'hidden-', '127.0.0.1', 'localhost', 'gpt-9', accountId])
    expect(otlp.text()).not.toContain(hidden)
  // The same request in the log: by our id, by the proxy's, and by the trace.
  const lines = server.log().split('\n')
  expect(lines.find((line) => line.includes(traceId))).toMatch(
    new RegExp(`"request_id":"${created.headers.get('x-request-id')}","proxy_request_id":"of-the-proxy/7"`),
  )
  expect(await server.stop()).toBe(0)
})

test('each trace of the requests that share a batch leads to the batch, and the batch to them', async () => {
  const server = await startServer(environment({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }), ['--no-worker'])
  await becomeReady([server])
  const { key } = await createCustomer(database.db, { plan: 'scale' })
  await listPrices(server, key)
  await listPrices(server, key)
  await Promise.all(Array.from({ length: 40 }, () => listPrices(server, key)))
  expect(await server.stop()).toBe(0)
  const shared = otlp.spans.filter(({ name, links }) => name === 'SELECT reserve_units' && links.length > 0)
  expect(shared.length).toBeGreaterThan(0)
  for (const batch of shared)
    for (const { spanId } of batch.links) {
      const linked = otlp.spans.find((span) => span.spanId === spanId)
      expect(linked?.name).toBe('GET listPrices')
      expect(linked?.traceId).not.toBe(batch.traceId)
      expect(linked?.links.map((link) => link.spanId)).toEqual([batch.spanId])
    }
})

test('a receiver that refuses costs a line and a count', async () => {
  const refusing = await startOtlpReceiver()
  onTestFinished(() => refusing.close())
  refusing.answer(400)
  site.serve(litellmFile({ 'gpt-9': [9, 36] }))
  const before = receiver.received.length
  const server = await startServer(
    environment({
      OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: authorityFile,
      FEED_SOURCES: JSON.stringify([{ source: 'litellm', url: site.url, every: '1s' }]),
    }),
  )
  const delivery = (await receiver.waitFor(before + 1)).at(-1)
  expect(delivery?.headers.traceparent).toBeUndefined()
  const lost = async () => {
    const text = await (await fetch(`${server.adminUrl}/metrics`)).text()
    return Number(/^ratecard_trace_spans_lost_total (\d+)$/m.exec(text)?.[1])
  }
  await expect.poll(lost, soon).toBeGreaterThan(0)
  expect(server.log()).toContain('traces cannot be sent')
  expect(await server.stop()).toBe(0)
})
