import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testRunner } from '../support/feed-runner.ts'
import { litellmFile, manyModels } from '../support/feed-runs.ts'
import { useDatabase } from '../support/postgres.ts'
import { priceDataDir, priceFile, skipTitle } from '../support/price-files.ts'

// A source is read in the process that serves, and must not hold it up: not the largest real file, and not a file that
// is made to.

const database = useDatabase()
const standstillMsMax = 100
const longestBytes = 20_000_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-standstill-'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'prices.json')
  await writeFile(path, text)
  return pathToFileURL(path).href
}

/**
 * The longest time that this thread computed without a break. It is processor time: other processes on the machine do
 * not count.
 */
async function standstillMsOf(work: Promise<unknown>): Promise<number> {
  let longestMs = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1_000)
  }, 1)
  await work.finally(() => clearInterval(timer))
  return longestMs
}

const signal = new AbortController().signal

test('A file of the largest size is taken in without a standstill', async () => {
  const rows = litellmFile(manyModels(3_000, { more: { supports: 'x'.repeat(6_000) } }))
  expect(rows.length).toBeGreaterThan(0.9 * longestBytes)
  const run = testRunner(database).run({ source: 'litellm', url: await fileOf(rows) }, signal)
  expect(await standstillMsOf(run)).toBeLessThan(standstillMsMax)
  expect(await run).toMatchObject({ outcome: 'applied', rows: 3_000, added: 3_000 })
})

test.each([
  ['nesting that is parsed', '['.repeat(1_900_000) + ']'.repeat(1_900_000)],
  ['nesting without end', '['.repeat(longestBytes / 2) + ']'.repeat(longestBytes / 2)],
  ['objects without end', `[${'{},'.repeat(longestBytes / 3 - 2)}{}]`],
  ['one name without end', `{"${'a'.repeat(longestBytes - 10)}": {}}`],
  ['what is no JSON', 'x'.repeat(longestBytes)],
])('%s is a failed run, and no standstill', async (_name, text) => {
  const run = testRunner(database).run({ source: 'litellm', url: await fileOf(text) }, signal)
  const ended = run.then(
    () => 'a run',
    (error: unknown) => (error as Error).name,
  )
  expect(await standstillMsOf(ended)).toBeLessThan(standstillMsMax)
  expect(await ended).toBe('UserError')
  expect(await lastRun()).toMatchObject({
    outcome: 'refused',
    message: expect.stringMatching(/[.?]$/) as string,
  })
})

test('A file beyond the limit is not read', async () => {
  const url = await fileOf(' '.repeat(longestBytes + 1))
  await expect(testRunner(database).run({ source: 'litellm', url }, signal)).rejects.toThrow(
    'larger than 20 MB',
  )
})

describe('a run that comes to its bounds is given up with a sentence, and the next one goes well', () => {
  const text = litellmFile(manyModels(5))

  test('of memory', async () => {
    const row = (n: number) => `["${n}a","${n}b","${n}c","${n}d","${n}e"],`
    const url = await fileOf(`[${Array.from({ length: 300_000 }, (_, n) => row(n)).join('')}[]]`)
    const small = testRunner(database, { memoryMb: 64 })
    await expect(small.run({ source: 'litellm', url }, signal)).rejects.toThrow(
      /needs more than 64 MB of memory/,
    )
    expect(await lastRun()).toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/memory/) as string,
    })
    const figures = await small.run({ source: 'litellm', url: await fileOf(text) }, signal)
    expect(figures).toMatchObject({ outcome: 'applied', added: 5 })
  })

  test('of time', async () => {
    const url = await fileOf(text)
    const hasty = testRunner(database, { timeoutMs: 1 })
    await expect(hasty.run({ source: 'litellm', url }, signal)).rejects.toThrow(/took longer than/)
    expect(await testRunner(database).run({ source: 'litellm', url }, signal)).toMatchObject({ added: 5 })
  })
})

describe.skipIf(priceDataDir === undefined)(skipTitle('the largest real file'), () => {
  test('is taken in without a standstill', async () => {
    const url = await fileOf(priceFile('models.dev/api_equivalent_2026-07-02.json'))
    const run = testRunner(database).run({ source: 'models.dev', url }, signal)
    expect(await standstillMsOf(run)).toBeLessThan(standstillMsMax)
    expect(await run).toMatchObject({ outcome: 'applied', rows: 5_276 })
  })
})

async function lastRun() {
  const { rows } = await sql<{ outcome: string; message: string }>`
    select outcome, message from feed_runs order by created_at desc limit 1`.execute(database.db)
  return rows[0]
}
