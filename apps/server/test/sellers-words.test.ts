import { createHash } from 'node:crypto'
import schema from '@ratecard/contract/snapshot.schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import type { SnapshotHeader, SnapshotResource } from '../src/snapshot/record.ts'
import { useApi } from './support/api.ts'
import { createFeeder } from './support/feed-runs.ts'
import { makeKeptFiles } from './support/kept-files.ts'
import { useDatabase } from './support/postgres.ts'
import { anthropicPage } from './support/seller-page.ts'

// What a seller's page says stands, with its place, wherever the price that was read from it is shown.

const database = useDatabase()
const api = useApi(database)
const feed = createFeeder(() => database.db, {
  source: 'anthropic-page',
  origin: { url: 'https://seller.example/pricing.md', etag: null, lastModified: null },
})
const page = anthropicPage({ 'Claude Opus 4.8': 6, 'Claude Haiku 4.5': 1 })
const row = '| Claude Opus 4.8 | $6 / MTok | $7.5 / MTok | $12 / MTok | $0.6 / MTok | $30 / MTok |'
const from = Buffer.from(page.slice(0, page.indexOf(row))).length
const sha256 = createHash('sha256').update(page).digest('hex')
let riseId: string

beforeAll(async () => {
  await feed('2026-03-01T06:00:00Z', anthropicPage({ 'Claude Opus 4.8': 5, 'Claude Haiku 4.5': 1 }))
  const { changes } = await feed('2026-03-02T06:00:00Z', page)
  riseId = changes.find(({ category }) => category === 'price_rise')!.id!
})

const textOf = async (path: string) => {
  const response = await fetch(api.url + path)
  expect(response.status).toBe(200)
  return response.text()
}

test('the page of the model quotes it, with address, bytes and SHA-256', async () => {
  const html = await textOf('/models/anthropic/claude-opus-4-8')
  for (const part of [
    row,
    'https://seller.example/pricing.md',
    `bytes ${from} to ${from + row.length}`,
    sha256,
  ])
    expect(html).toContain(part)
})

test('the page of the change quotes it, and says that the seller says so', async () => {
  const html = await textOf(`/changes/${riseId}`)
  expect(html).toContain(row)
  expect(html).toContain('Stated by the seller itself: Anthropic pricing page.')
})

test('the public snapshot has the place without the words, as the page states no licence', async () => {
  await makeKeptFiles(database.db)
  const snapshot = JSON.parse(await textOf('/snapshot.json')) as SnapshotHeader & {
    resources: SnapshotResource[]
  }
  const ajv = new Ajv2020({ allErrors: true })
  addFormatsModule.default(ajv)
  expect([ajv.validate(schema, snapshot), ajv.errors]).toEqual([true, null])
  const { documents } = snapshot.resources.find(
    ({ resource_id }) => resource_id === 'anthropic:claude-opus-4-8',
  )!
  expect(documents).toMatchObject([
    {
      source: 'anthropic-page',
      url: 'https://seller.example/pricing.md',
      sha256,
      quotes: [{ from, text: null }, { text: null }],
    },
  ])
})
