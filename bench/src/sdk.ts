import { counted } from './frame/figures.ts'
import { describeMachine, installedVersions } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { startJobRunner } from './frame/processes.ts'
import type { Answers } from './packages/answers.ts'
import { bare, createAnswers, openapiFetch, ours, subjectsOf } from './packages/client-subjects.ts'
import { Comparison, timeRatio, type Effort } from './packages/timing.ts'

// What a call through @ratecard/sdk takes, beside the `fetch` inside it and beside openapi-fetch. One call at a time, on a
// connection that stays open, to a server that has its answers ready.

const options = readOptions('Measures the time of a call of @ratecard/sdk: a minute.', {
  rounds: [...roundsOption],
})
const { quick, rounds } = options
const effort: Effort = {
  ...{ rounds, slicesPerRound: quick ? 75 : 201, sliceMs: 2 },
  warmUpMs: quick ? 400 : 2_000,
}

const comparison = new Comparison()
for (const rows of [1, 100]) {
  const answers = await createAnswers(rows)
  await using server = await startJobRunner<Answers, { port: number }>('packages/answers.ts')
  const { port } = await server.run(answers)
  const subjects = subjectsOf(`http://127.0.0.1:${port}`, rows)
  const size = `${rows} ${rows === 1 ? 'row' : 'rows'}`
  const bytes = counted(Buffer.byteLength(answers['/v1/prices']!.body))
  const calls = { [`prices.list, ${size}, ${bytes} bytes`]: subjects.prices }
  if (rows === 1) calls['usage.get'] = subjects.usage
  for (const [title, own] of Object.entries(calls))
    await comparison.add(title, own, effort, (costs) => [
      timeRatio(`${title}: time in that of ${bare}`, costs, [ours, bare], { most: 1.2 }),
      timeRatio(`${title}: time in that of ${openapiFetch}`, costs, [ours, openapiFetch]),
    ])
}
await comparison.report(options, 'sdk', {
  machine: describeMachine(installedVersions(['openapi-fetch'])),
  effort,
})
