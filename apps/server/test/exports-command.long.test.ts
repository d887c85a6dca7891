import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forms, formNames, reportName } from '../src/exports/forms.ts'
import type { LossReport } from '../src/exports/report.ts'
import { useDatabase } from './support/postgres.ts'
import { ids, useScene } from './support/snapshot-scene.ts'

// The price list in the forms of other programs, by the command.

const database = useDatabase()
const { fileWith, folder, json, run } = useScene(database)

describe('the formats of other programs', () => {
  test.each(formNames)('%s is a file with a report beside it', async (name) => {
    const file = join(folder, `written-${forms[name].file}`)
    const said = (await json(`prices export --format ${name} --out`, file)) as { left_out: object }
    const report = JSON.parse(await readFile(reportName(file), 'utf8')) as LossReport
    expect(report).toMatchObject({ form: forms[name].title, resources: 3 })
    expect(Object.keys(said.left_out)).toEqual(Object.keys(report.losses))
    expect((await readFile(file, 'utf8')).length).toBeGreaterThan(1)
  })

  test('are all in the help', async () => {
    const { stdout } = await run('prices export --help')
    for (const name of formNames) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  test('has the prices of a customer', async () => {
    const overrides = await fileWith('discounts.json', {
      platforms: { google: { multiplier: 0.5 } },
      models: { [ids.deepseek]: { rates: { input_tokens: '0.2' } } },
    })
    const file = join(folder, 'discounted.json')
    await run('prices export --format agentgateway --overrides', overrides, '--out', file)
    const { providers } = JSON.parse(await readFile(file, 'utf8')) as {
      providers: Record<string, { models: Record<string, { rates: object }> }>
    }
    expect(providers['gcp.gemini']?.models['gemini-2.5-pro']?.rates).toMatchObject({
      input: '0.6',
      output: '5',
    })
    expect(providers['deepseek']?.models['deepseek-chat']?.rates).toEqual({ input: '0.2', output: '1.1' })
    const refused = await run('prices export --format json --overrides', overrides)
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('A snapshot has list prices'),
    ])
  })
})
