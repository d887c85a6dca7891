import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BillComparison } from '../../src/bill.ts'
import { run } from '../../src/cli/run.ts'
import { anthropicReport, logOf, openAiCsv } from './exports.ts'
import { snapshot } from './prices.ts'
import { makeWorld, randomOf } from './world.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-cost-bill-'))
  const world = makeWorld(randomOf(1), 'openai')
  const lines = logOf(world).map((line) => JSON.stringify(line))
  const batch = makeWorld(randomOf(2), 'anthropic')
  const { day, model } = batch.calls[0]!
  for (const call of batch.calls) if (call.day === day && call.model === model) call.billed.tier = 'batch'
  const ofClaude = logOf(batch).map((line) => JSON.stringify(line))
  const texts: Record<string, string> = {
    'prices.json': JSON.stringify(snapshot),
    'costs.csv': openAiCsv(world),
    'calls.jsonl': `${lines.join('\n')}\n\n${ofClaude.join('\n')}`,
    'report.json': anthropicReport(batch, false),
    'cut.jsonl': `${lines[0]}\n{"at":`,
    'long.jsonl': `${lines[0]}\n${'x'.repeat(9 * 2 ** 20)}\n`,
    'none.json': '{}',
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
})
afterAll(() => rm(folder, { recursive: true }))

async function said(...words: string[]) {
  const text = { out: '', err: '' }
  const code = await run(
    words.map((word) => word.replace(/^@/, `${folder}/`)),
    { out: (part) => (text.out += part), err: (part) => (text.err += part) },
    '1.2.3',
  )
  return { code, ...text }
}

const bill = (file: string, log: string, ...more: string[]) =>
  said('bill', file, '--log', log, '--catalog', '@prices.json', ...more)

test('0 where the bill is what the calls cost; the calls of another vendor in the log are left out', async () => {
  const { code, out } = await bill('@costs.csv', '@calls.jsonl')
  expect(code).toBe(0)
  expect(out).toMatch(/^OpenAI's costs of 2025-06-09 to 2025-06-1\d \(UTC\), in USD, beside \d+ calls\./)
  expect(out).toMatch(/(\d+) of \1 rows are equal\./)
  expect(out).toMatch(/Left out: \d+ calls that were paid elsewhere\./)
})

test('1 where it is not, with the row and the cause', async () => {
  const { code, out } = await bill('@report.json', '@calls.jsonl')
  expect(code).toBe(1)
  expect(out).toMatch(/^Day +Model +Billed +Computed +Difference +Why$/m)
  expect(out.match(/^2025-06-\d\d /gm)).toHaveLength(1)
  expect(out).toMatch(/claude-sonnet-4-6 +[\d.]+ +[\d.]+ +-[\d.]+ +tier: /)
})

test('all rows and all digits as one document', async () => {
  const { out } = await bill('@report.json', '@calls.jsonl', '--json')
  const found = JSON.parse(out) as BillComparison
  expect(found.rows.length).toBeGreaterThan(6)
  expect(found.rows.filter(({ state }) => state === 'explained')).toMatchObject([
    { causes: [{ kind: 'tier' }] },
  ])
  expect(found.unexplained).toBe('0')
})

test('2 with a sentence for what cannot be read', async () => {
  const wrong = async (message: RegExp, ...words: Parameters<typeof bill>) => {
    const { code, err, out } = await bill(...words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  }
  await wrong(/Line 2 of .*cut\.jsonl is no JSON\. .*jq -c/, '@costs.csv', '@cut.jsonl')
  await wrong(/Line 2 of .*long\.jsonl is longer than 8 MB/, '@costs.csv', '@long.jsonl')
  await wrong(/says no time/, '@none.json', '@calls.jsonl')
  await wrong(/away\.jsonl cannot be read \(ENOENT\)/, '@costs.csv', '@away.jsonl')
  await wrong(/The log is read twice: name a file/, '@costs.csv', '-')
  expect(await said('bill', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--log LOG') as string,
  })
})

test('help teaches by an example', async () => {
  expect((await said('--help')).out).toContain('ratecard-cost bill costs.csv --log calls.jsonl')
})
