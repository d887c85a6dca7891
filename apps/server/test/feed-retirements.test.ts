import { describe, expect, test } from 'vitest'
import { createFeeder, litellmFile, publishedBy } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// Days of retirement from a seller's own page, beside a list with prices: whole runs on real PostgreSQL.

const database = useDatabase()
const feed = createFeeder(() => database.db)

const retirements = (rows: string[]) =>
  [
    '# Deprecations',
    '| Shutdown date | Model / system | Recommended replacement |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n')
const feedPage = (at: string, rows: string[]) => feed(at, retirements(rows), { source: 'openai-retirements' })
const list = (models: Parameters<typeof litellmFile>[0]) => litellmFile(models, 'openai')

const old = { input: 10, output: 40 }
const models = {
  'gpt-9': old,
  'gpt-12-pro': { input: 90, output: 400 },
  'gpt-9-air': { input: 9, output: 40 },
}
const eight = '| 2026-05-01 | `gpt-8` | `gpt-9` |'
const nine = '| Dec 11, 2026 | `gpt-9` | `gpt-12-pro` |'

describe("a seller's page of retirements", () => {
  test('makes nothing exist, tells the deadline, and names what comes in its place', async () => {
    await feed('2026-03-01T00:00:00Z', list(models))
    const first = await feedPage('2026-03-01T01:00:00Z', [eight])
    expect([first.rows, first.added, first.changes]).toEqual([1, [], []])

    const report = await feedPage('2026-03-02T00:00:00Z', [eight, nine])
    expect(publishedBy(report)).toEqual(['deprecation openai/gpt-9'])
    const change = await database.db
      .selectFrom('changes')
      .select(['id', 'title', 'migration_deadline'])
      .executeTakeFirstOrThrow()
    expect([change.title, String(change.migration_deadline)]).toEqual([
      expect.stringContaining('2026-12-11'),
      expect.stringContaining('2026-12-11'),
    ])
    const alternatives = await database.db
      .selectFrom('change_alternatives')
      .select(['rank', 'product_id', 'notes'])
      .where('change_id', '=', change.id)
      .orderBy('rank')
      .execute()
    expect(alternatives[0]).toMatchObject({
      product_id: 'openai/gpt-12-pro',
      notes:
        'openai:gpt-12-pro: input 90, output 400 USD per 1M tokens. ' +
        'Named by the vendor as the replacement. It costs 9.6 times as much.',
    })
    const evidence = await database.db.selectFrom('change_evidence').select(['source', 'quote']).execute()
    expect(evidence).toContainEqual({ source: 'openai-retirements', quote: nine })
  })

  test('keeps no model new that lists have just got, nor listed that they have dropped', async () => {
    const added = await feed('2026-03-03T00:00:00Z', list({ ...models, 'gpt-8': old }))
    expect(publishedBy(added)).toEqual(['model_added openai/gpt-8'])
    const { 'gpt-9': _, ...others } = models
    await feed('2026-03-04T00:00:00Z', list({ ...others, 'gpt-8': old }))
    const dropped = await feed('2026-03-06T00:00:00Z', list({ ...others, 'gpt-8': old }))
    expect(publishedBy(dropped)).toEqual(['model_removed openai/gpt-9'])
    const { title } = await database.db
      .selectFrom('changes')
      .select('title')
      .where('category', '=', 'model_removed')
      .executeTakeFirstOrThrow()
    // The page says until when it is sold, and has dropped nothing.
    expect(title).toMatch(/^LiteLLM no longer lists /)
  })
})
