import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listEvidence } from '../src/features/changes/change-evidence.ts'
import { readResource } from '../src/snapshot/read-snapshot.ts'
import type { SourceName } from '../src/ingest/sources/index.ts'
import { createFeeder } from '../test/support/feed-runs.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { priceDataDir, priceFile, skipTitle } from '../test/support/price-files.ts'

// The sellers' own pages on their days, between the days of a list: what is told, when, and with which words.

const database = useDatabase()
const feed = createFeeder(() => database.db)

interface State {
  at: string
  source: SourceName
  path: string
}

function pagesOf(folder: string, source: SourceName, pattern: RegExp): State[] {
  return readdirSync(join(priceDataDir ?? '', 'official', folder)).flatMap((name) =>
    pattern.test(name)
      ? [{ at: `${name.slice(0, 10)}T20:00:00Z`, source, path: join('official', folder, name) }]
      : [],
  )
}

async function readSummary(id: string): Promise<string> {
  const { summary } = await database.db
    .selectFrom('changes')
    .select('summary')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return summary
}

/** Plays documents in the order of their days. Returns what was told but of new models: the day, the severity and the title. */
function play(states: State[]): Promise<{ id: string; told: string }[]> {
  return playTexts(states.map(({ path, ...state }) => ({ ...state, text: priceFile(path) })))
}

async function playTexts(
  states: (Omit<State, 'path'> & { text: string })[],
): Promise<{ id: string; told: string }[]> {
  const all: { id: string; told: string }[] = []
  for (const { at, source, text } of states.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const { changes } = await feed(at, text, { source })
    for (const { id, category, severity, title } of changes)
      if (category !== 'model_added') all.push({ id: id!, told: `${at.slice(0, 10)} ${severity} ${title}` })
  }
  return all
}

describe.skipIf(priceDataDir === undefined)(skipTitle('sellers’ pages by date'), () => {
  test('Anthropic: a rise is announced and called off, each on its day and in the words of the page', async () => {
    const told = await play(pagesOf('anthropic', 'anthropic-page', /\d-pricing\.md$/))
    const sonnet = told.filter((one) => one.told.includes('Claude Sonnet 5'))
    const rise = 'Claude Sonnet 5 costs 50 % more on Anthropic'
    const figures = '($2 → $3 in, $10 → $15 out)'
    expect(sonnet.map((one) => one.told)).toEqual([
      `2026-07-24 4 From 2026-09-01: ${rise} ${figures}`,
      `2026-08-06 4 In 26 days (2026-09-01): ${rise} ${figures}`,
      `2026-08-11 3 Called off: ${rise} from 2026-09-01 ${figures}`,
    ])
    const [announced] = await listEvidence(database.db, sonnet[0]!.id, null)
    expect(announced?.quote).toContain('| Claude Sonnet 5 starting September 1, 2026')
  })

  test('DeepSeek: prices of the peak are announced by both of its lists, each in its currency', async () => {
    const told = await play([
      ...pagesOf('deepseek', 'deepseek-page', /-pricing\.en\.(?:md|html)$/),
      ...pagesOf('deepseek', 'deepseek-page-cn', /-pricing\.zh-cn\.(?:md|html)$/),
    ])
    const summaries = await Promise.all(told.map(({ id }) => readSummary(id)))
    expect(told.map((one) => one.told.slice(0, 75))).toEqual([
      '2026-08-14 5 In 3 days (2026-08-17): DeepSeek V4 Flash costs 57 % to 136 % ',
      '2026-08-14 5 In 3 days (2026-08-17): DeepSeek V4 Pro costs 52 % to 128 % mo',
      '2026-08-14 5 In 3 days (2026-08-17): DeepSeek V4 Flash costs 50 % to 125 % ',
      '2026-08-14 5 In 3 days (2026-08-17): DeepSeek V4 Pro costs 50 % to 125 % mo',
    ])
    expect(summaries[0]).toContain('input from 0.14 to 0.22 USD per 1M tokens')
    expect(summaries[0]).toContain('Stated by the seller itself: DeepSeek pricing page.')
    expect(summaries[2]).toContain('input from 1 to 1.5 CNY per 1M tokens')
  })

  test('OpenAI: a fall by five times waits for a list, and is told on the day on which one states it', async () => {
    const before = priceFile('official/openai/2026-07-15-pricing.md')
    // The page of after the fall is not among the recorded ones.
    const after = before.replaceAll(/\["gpt-5\.6-luna", [\d., ]+\]/g, (row) =>
      row.replaceAll(/(?<=[ ,])[\d.]+(?=[,\]])/g, (amount) =>
        String(Number((Number(amount) / 5).toPrecision(9))),
      ),
    )
    expect(after).not.toBe(before)
    const lists = ['litellm/model_prices_2026-07-05.json', 'litellm/model_prices_2026-08-01.json']
    const told = await playTexts([
      { at: '2026-07-05T12:00:00Z', source: 'litellm', text: priceFile(lists[0]!) },
      { at: '2026-07-15T12:00:00Z', source: 'openai-page', text: before },
      { at: '2026-07-31T12:00:00Z', source: 'openai-page', text: after },
      { at: '2026-08-01T00:59:59Z', source: 'litellm', text: priceFile(lists[1]!) },
    ])
    const luna = told.filter((one) => /GPT-5\.6 Luna is .* cheaper/.test(one.told))
    expect(luna.map((one) => one.told)).toEqual([
      '2026-08-01 3 GPT-5.6 Luna is 80 % cheaper on OpenAI ($1 → $0.20 in, $6 → $1.20 out)',
    ])
    expect(await readSummary(luna[0]!.id)).toContain('Stated by the seller itself: OpenAI pricing page.')
  })

  test('each quote stands in its document where it says', async () => {
    const document = Buffer.from(priceFile('official/anthropic/2026-08-11-pricing.md'))
    const sha256 = createHash('sha256').update(document).digest('hex')
    const found = ['anthropic:claude-opus-5', 'anthropic:claude-sonnet-5'].map((id) =>
      readResource(database.db, id),
    )
    const documents = (await Promise.all(found)).flatMap((resource) => resource?.documents ?? [])
    expect(documents.map((one) => one.sha256)).toEqual([sha256, sha256])
    for (const { from, to, text } of documents.flatMap(({ quotes }) => quotes))
      expect(document.subarray(from, to).toString()).toBe(text)
  })
})
