import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSourceStatus } from '../src/ingest/publish/source-status.ts'
import { runSource } from '../src/ingest/run/run-source.ts'
import { anthropicPage } from './support/seller-page.ts'
import { useDatabase } from './support/postgres.ts'

// A seller's host that answers as hosts do on a bad day: nothing moves, and the status says what and since when.

const database = useDatabase()
let answer: RequestListener
let url: string
const server = createServer((request, response) => answer(request, response))
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pricing.md`
})
afterAll(() => void server.close())

let hour = 0
const clock = () => new Date(Date.UTC(2026, 2, 1, (hour += 1))).toISOString()
const read = () =>
  runSource(database.db, { source: 'anthropic-page', location: { url }, observedAt: clock(), alerts: null })
const served = () =>
  database.db.selectFrom('prices').select(['resource_id', 'input_per_mtok']).orderBy('resource_id').execute()
const status = async () => (await listSourceStatus(database.db))[0]!

const page = anthropicPage({ 'Claude Opus 4.8': 5, 'Claude Haiku 4.5': 1 })
const dearer = anthropicPage({ 'Claude Opus 4.8': 6, 'Claude Haiku 4.5': 1 })
const says =
  (code: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, response) =>
    void response.writeHead(code, headers).end(body)

test('what it says is served, with its words', async () => {
  answer = says(200, { etag: '"1"' }, page)
  expect((await read()).outcome).toBe('applied')
  expect(await served()).toEqual([
    { resource_id: 'anthropic:claude-haiku-4-5', input_per_mtok: '1.000000000' },
    { resource_id: 'anthropic:claude-haiku-4-5-20251001', input_per_mtok: '1.000000000' },
    { resource_id: 'anthropic:claude-opus-4-8', input_per_mtok: '5.000000000' },
  ])
  expect((await status()).failing_since).toBeNull()
})

test('304 is a reading: nothing moves', async () => {
  answer = (request, response) => {
    expect(request.headers['if-none-match']).toBe('"1"')
    response.writeHead(304).end()
  }
  const before = await served()
  expect((await read()).outcome).toBe('applied')
  expect(await served()).toEqual(before)
})

const bad: [string, RequestListener, RegExp][] = [
  [
    '429 that asks to wait for long',
    says(429, { 'retry-after': '3600' }),
    /answers 429 and asks to wait 3600 s/,
  ],
  ['500', says(500), /answers 500/],
  ['half of the file', says(200, {}, dearer.slice(0, dearer.length / 2)), /Batch processing/],
  [
    'a connection that breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-length': String(dearer.length) }).write(dearer.slice(0, 400))
      setTimeout(() => response.destroy(), 20)
    },
    /broke off/,
  ],
  [
    'a redirect to what is no web address',
    says(302, { location: 'file:///etc/passwd' }),
    /redirects to what is not/,
  ],
  [
    'a page of another type',
    says(200, { 'content-type': 'text/html' }, '<html><h1>Pricing</h1></html>'),
    /currency is unknown/,
  ],
  ['nothing', says(200), /currency is unknown/],
]

test.each(bad)('%s moves nothing, and the status says why and since when', async (_, listener, message) => {
  const before = await served()
  const since = (await status()).failing_since
  answer = listener
  const from = hour
  await expect(read()).rejects.toThrow(message)
  expect(await served()).toEqual(before)
  const { failing_since, message: told, outcome } = await status()
  expect(told).toMatch(message)
  expect(['refused', 'unreachable']).toContain(outcome)
  const first = new Date(Date.UTC(2026, 2, 1, from + 1)).toISOString()
  expect(new Date(failing_since!).toISOString()).toBe(since === null ? first : new Date(since).toISOString())
})

test('a good day ends it', async () => {
  answer = says(200, { etag: '"2"' }, dearer)
  expect((await read()).changes.map(({ category }) => category)).toContain('price_rise')
  expect((await status()).failing_since).toBeNull()
})
