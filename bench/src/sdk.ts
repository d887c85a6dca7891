import { startJobRunner } from './api/processes.ts'
import { figureTable, say, type Figure, type Table } from './figures.ts'
import { describeMachine, installedVersions } from './machine.ts'
import type { Answers } from './packages/answers.ts'
import {
  bare,
  createAnswers,
  openapiFetch,
  ours,
  pricesSubjects,
  usageSubjects,
} from './packages/client-subjects.ts'
import { alternate, costsTable, timeRatio, type Effort, type Subject } from './packages/timing.ts'
import { readOptions } from './options.ts'
import { reportResults } from './results.ts'

// What a call through @ratecard/sdk takes, beside the `fetch` inside it and beside openapi-fetch. One call at a time, on a
// connection that stays open, to a server that has its answers ready.

const options = readOptions()
const { quick, rounds } = options
const effort: Effort = {
  rounds,
  slicesPerRound: quick ? 75 : 201,
  sliceMs: 2,
  warmUpMs: quick ? 400 : 2_000,
}

const apiKey = `rc_live_${'0'.repeat(43)}`
const tables: Table[] = []
const figures: Figure[] = []
for (const rows of [1, 100]) {
  const answers = await createAnswers(rows)
  await using server = await startJobRunner<Answers, { port: number }>('packages/answers.ts')
  const { port } = await server.run(answers)
  const baseUrl = `http://127.0.0.1:${port}`
  const bytes = Buffer.byteLength(answers['/v1/prices']?.body ?? '')
  const size = `${rows} ${rows === 1 ? 'row' : 'rows'}, ${bytes.toLocaleString('en-US')} bytes`
  await compare(`prices.list, ${size}`, pricesSubjects(baseUrl, apiKey, rows))
  if (rows === 1) await compare('usage.get', usageSubjects(baseUrl, apiKey))
}

const machine = describeMachine(installedVersions(['openapi-fetch']))
tables.push(figureTable('Figures and aims', figures))
await reportResults(options, { machine, effort, figures }, tables, { name: 'sdk' })

async function compare(title: string, subjects: readonly Subject[]): Promise<void> {
  const costs = await alternate(subjects, effort)
  tables.push(costsTable(title, costs))
  const own: Figure[] = [
    timeRatio(`${title}: time in that of ${bare}`, costs, [ours, bare], { most: 1.2 }),
    timeRatio(`${title}: time in that of ${openapiFetch}`, costs, [ours, openapiFetch]),
  ]
  for (const { name, value } of own) say(`  ${name}: ${value.toFixed(3)}`)
  figures.push(...own)
}
