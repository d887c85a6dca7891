import { beforeAll, expect, test } from 'vitest'
import { costOf } from '../../../packages/cost/src/index.ts'
import { catalogFromUrl, type RefreshedCatalog } from '../../../packages/cost/src/live.ts'
import { useApi } from './support/api.ts'
import { makeKeptFiles } from './support/kept-files.ts'
import { useDatabase } from './support/postgres.ts'
import { ids, useScene } from './support/snapshot-scene.ts'

// What a use of before costs, by the snapshot of a server that has just begun.

const database = useDatabase()
useScene(database)
const api = useApi(database)
let catalog: RefreshedCatalog
beforeAll(async () => {
  await makeKeptFiles(database.db)
  catalog = await catalogFromUrl(`${api.url}/snapshot.json`, { refreshMs: 0 })
})

const counts = { input_tokens: 1_000_000 }

test('a price that nobody saw change holds before the server knew it, and the figure says so', () => {
  const cost = costOf({ counts, at: '2026-02-01' }, { catalog, model: ids.bedrock })
  expect(cost).toMatchObject({ total: '3.3', doubts: expect.arrayContaining(['price_assumed']) as string[] })
})

test('a price that has moved holds from its day on, and the one of before is not guessed', () => {
  const at = (at: string) => costOf({ counts: { input_tokens: 100_000 }, at }, { catalog, model: ids.gemini })
  expect(at('2026-03-03')).toMatchObject({ total: '0.12' })
  expect(at('2026-03-03').doubts).not.toContain('price_assumed')
  expect(at('2026-02-28').unpriced).toMatchObject([
    { reason: 'before_history', message: expect.stringContaining('changed on 2026-03-02') as string },
  ])
})
