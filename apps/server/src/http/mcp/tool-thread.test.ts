import { afterEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../platform/logger.ts'
import { tools } from '../limits/index.ts'
import { ToolThread } from './tool-thread.ts'

// Prices that move, and a list that is damaged, under a thread that goes on.

afterEach(() => void vi.restoreAllMocks())

function snapshotOf(version: string, input: string): string {
  const amounts = { output_per_mtok: null, cached_input_per_mtok: null, image_per_unit: null, audio_per_min: null, video_per_sec: null } // prettier-ignore
  const names = { resource_id: 'acme:a', product_id: null, vendor: 'acme', platform: 'acme', modality: 'llm' }
  const dates = { effective_at: null, updated_at: '2026-01-01T00:00:00.000000Z' }
  const record = { ...names, ...amounts, ...dates, region: null, currency: 'USD', input_per_mtok: input }
  const head = { format: 'ratecard-snapshot', format_version: 1, catalog_version: version, as_of: null }
  return JSON.stringify({
    ...head,
    generated_at: new Date().toISOString(),
    resource_count: 1,
    resources: [record],
  })
}

/** Where the machine is busy, a thread may take longer to start or to answer than callers wait. */
const patient = { ...tools, answering: { ...tools.answering, waitMsMax: 120_000 }, answerMsMax: 120_000 }

function create(served: { sha256: string; text: string }) {
  let reads = 0
  const readPrices = (known: string | null) => {
    if (known === served.sha256) return Promise.resolve(null)
    reads += 1
    return Promise.resolve({ sha256: served.sha256, content: new TextEncoder().encode(served.text) })
  }
  const thread = new ToolThread(readPrices, createLogger('silent'), patient)
  const params = { name: 'get_price', arguments: { resource_id: 'acme:a' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const ask = () => thread.answer({ headers, body }, '198.51.100.1', true)
  return { ask, thread, reads: () => reads }
}

const price = (version: string, input: string) =>
  expect.objectContaining({
    status: 200,
    body: expect.stringMatching(new RegExp(`"input_per_mtok":"${input}".*"version":"${version}"`)) as string,
  }) as unknown

test('prices are read once, looked for after a minute, and taken over without a call that waits', async () => {
  const served = { sha256: '1', text: snapshotOf('1', '1') }
  const { ask, reads } = create(served)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill(price('1', '1')))
  Object.assign(served, { sha256: '2', text: snapshotOf('2', '2') })
  expect(await ask()).toEqual(price('1', '1'))
  expect(reads()).toBe(1)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  await ask()
  await expect.poll(ask).toEqual(price('2', '2'))
  expect(reads()).toBe(2)
})

test('a list that cannot be taken is a failure, and the next one is asked for', async () => {
  const served = { sha256: '1', text: '{"format":"ratecard-snap' }
  const { ask } = create(served)
  await expect(ask()).rejects.toThrow('no whole JSON')
  served.text = snapshotOf('1', '1')
  expect(await ask()).toEqual(price('1', '1'))
})

test('of one network four wait, and others are let in', async () => {
  const { ask, thread } = create({ sha256: '1', text: snapshotOf('1', '1') })
  const flood = await Promise.allSettled(Array.from({ length: 10 }, ask))
  expect(flood.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(await thread.answer({ headers, body }, '198.51.100.2', false)).toMatchObject({ status: 200 })
})
