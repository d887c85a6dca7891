import { expect, test, vi } from 'vitest'
import { createFeeder, litellmFile, manyModels, type Model } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { runHere } from './support/run-here.ts'

// `feed scores` on what three sources said in March 2026 of 30 models of one platform.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const day = (date: number) => `2026-03-0${date}T00:00:00Z`
const all = manyModels(30)

const genai = (models: Record<string, Model>) =>
  JSON.stringify([
    {
      ...{ id: 'acme', name: 'Acme' },
      models: Object.entries(models).map(([id, { input, output }]) => ({
        id,
        prices: { input_mtok: input, output_mtok: output },
      })),
    },
  ])
const modelsDev = (models: Record<string, Model>) =>
  JSON.stringify({
    acme: {
      id: 'acme',
      models: Object.fromEntries(Object.entries(models).map(([id, cost]) => [id, { id, name: id, cost }])),
    },
  })

test('feed scores shows who was right, and proposes an order without applying it', async () => {
  await feed(day(1), litellmFile(all))
  await feed(day(1), modelsDev(all), { source: 'models.dev' })
  // The first in precedence, and wrong on ten of thirty.
  await feed(day(1), genai({ ...all, ...manyModels(10, { input: 3, output: 8 }) }), {
    source: 'genai-prices',
  })
  // A cut that a second one shows two days later, and a slip that is taken back.
  const cut = { m20: { input: 1.8, output: 8 } }
  await feed(day(2), litellmFile({ ...all, ...cut, m21: { input: 2_000, output: 8 } }))
  await feed(day(4), modelsDev({ ...all, ...cut }), { source: 'models.dev' })
  await feed(day(5), litellmFile({ ...all, ...cut }))

  const report = await json('feed scores --since 2026-03-01')
  expect(report).toMatchObject({ since: '2026-03-01T00:00:00.000000Z', by: 'source' })
  expect(report.scores).toMatchObject([
    {
      source: 'genai-prices',
      ...{ stated: 60, witnessed: 60, agreed: 49, outvoted: 11, moves: 0, held: 0, late: 0, first: 0 },
      ...{ judged: 60, right: 49 },
    },
    {
      source: 'litellm',
      ...{ stated: 60, witnessed: 60, agreed: 60, outvoted: 0, moves: 2, reversed: 1, late: 0, first: 1 },
      // The cut is right, the slip is wrong. Both waited.
      ...{ held: 2, held_by_state: { withdrawn: 1, confirmed: 1 }, judged: 62, right: 61, days_behind: null },
    },
    {
      source: 'models.dev',
      ...{ moves: 1, reversed: 0, late: 1, first: 0, days_behind: 2, judged: 61, right: 61, right_share: 1 },
    },
  ])
  expect(report.precedence).toMatchObject([
    {
      ...{ platform: null, column: null },
      present: ['genai-prices', 'litellm', 'models.dev'],
      proposed: ['litellm', 'models.dev', 'genai-prices'],
    },
    { platform: 'acme', column: 'input_per_mtok', proposed: ['litellm', 'models.dev', 'genai-prices'] },
    // All agree.
    { platform: 'acme', column: 'output_per_mtok', proposed: ['genai-prices', 'litellm', 'models.dev'] },
  ])

  const text = (await run('feed scores --by column --since 2026-03-01')).stdout
  expect(text).toMatch(/input_per_mtok +genai-prices +63.3 % of 30 +30 +19 of 30 +11/)
  expect(text).toMatch(/all +all +genai-prices, litellm, models.dev +litellm \(98.3 % of 62\)/)
  expect(text).toContain('In 1 of 3 ')

  // The moves are long past; what is stated now counts.
  const [, litellm] = (await json('feed status')) as unknown as { judged: number; right_share: number }[]
  expect(litellm).toMatchObject({ id: 'litellm', judged: 60, right_share: 1 })
  expect((await run('feed status')).stdout).toMatch(/litellm .* 100 % of 60/)
})

async function run(command: string) {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 7).toString('base64'))
  vi.stubEnv('FEED_SOURCES', '[]')
  return runHere(command.split(' '))
}

async function json(command: string): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await run(`${command} --json`)
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Record<string, unknown>
}
