import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { browserStep, startPageServer } from './clean-room/browser.ts'
import { examplesStep } from './clean-room/examples.ts'
import { readmeSteps } from './clean-room/readme.ts'
import type { Context, Step } from './clean-room/room.ts'
import { runtimeSteps } from './clean-room/runtimes.ts'
import { startServer } from './clean-room/server.ts'
import { typescriptStep } from './clean-room/typescript.ts'
import { packAll } from './packages/published.ts'

// Does what customers do, with the tarballs they would get, in empty folders outside the repository:
// `node scripts/clean-room.ts [--only <step>]…`

/** npm waits for the network much of the time, so two steps at once do not slow each other down. */
const stepsAtOnce = 2

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const start = performance.now()
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const folder = await mkdtemp(join(tmpdir(), 'ratecard-clean-room-'))
const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
const cleanUp = async () => {
  for (const close of closers.splice(0)) await close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

async function timed<Result>(name: string, work: () => Promise<Result>, tell: (result: Result) => string) {
  const since = performance.now()
  const result = await work()
  console.log(`  ok  ${name.padEnd(11)} ${seconds(since).padStart(7)}  ${tell(result)}`)
  return result
}

const failed: string[] = []
async function take(step: Step, context: Context): Promise<void> {
  try {
    await timed(step.name, () => step.run(context), String)
  } catch (error) {
    failed.push(step.name)
    const text = error instanceof Error ? error.message : String(error)
    console.error(`FAIL  ${step.name}\n${text.replaceAll(/^/gm, '      ')}`)
  }
}

try {
  using pages = await startPageServer()
  // The longest first.
  const steps: Step[] = [typescriptStep, ...readmeSteps, examplesStep, ...runtimeSteps, browserStep(pages)]
  const unknown = values.only?.filter((name) => !steps.some((step) => step.name === name)) ?? []
  if (unknown.length > 0) {
    const names = steps.map(({ name }) => name)
    throw new Error(`No step is called ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  }
  const packages = await timed(
    'pack',
    () => packAll(folder),
    (all) => all.map(({ manifest }) => `${manifest.name} ${manifest.version}`).join(', '),
  )
  const server = await timed(
    'server',
    () => startServer(folder, pages.origin),
    ({ url }) => url,
  )
  closers.unshift(server.stop)

  const queue = steps.filter(({ name }) => values.only?.includes(name) ?? true)
  const work = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) await take(step, { folder, packages, server })
  }
  await Promise.all(Array.from({ length: stepsAtOnce }, work))

  const which = values.only ? `${values.only.length} of ${steps.length} steps` : `all ${steps.length} steps`
  const verdict = failed.length === 0 ? `Passed: ${which}` : `Failed: ${failed.join(', ')}`
  console.log(`${verdict}, in ${seconds(start)}`)
} finally {
  await cleanUp()
}
if (failed.length > 0) process.exitCode = 1
