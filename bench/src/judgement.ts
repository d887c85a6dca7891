import { parseArgs } from 'node:util'
import { figureTable, say } from './figures.ts'
import { describeMachine, machineText } from './machine.ts'
import { faultTables, figuresOf, missesOf, moveTable, type Run } from './judgement/report.ts'
import { openRooms } from './judgement/rooms.ts'
import * as scenarios from './judgement/scenarios.ts'
import type { FaultRow, MoveRow } from './judgement/scenarios.ts'
import { openSubject } from './judgement/subject.ts'
import { outputOptions } from './options.ts'
import { besideStored, reportResults } from './results.ts'

// What the feed makes of faults and of true moves: planted into the real files of six sources, read day after day.

const help = `Usage: pnpm --filter @ratecard/bench judgement [options]

Plants faults and true moves into the real price files of PRICE_DATA_DIR, reads them day after day, and counts what false
was served and told, and what true was told late. Without PRICE_DATA_DIR it says so and measures nothing.

  --only WORDS     parts with one of these words in their names: rows, files, dated, moves, real
  --seed NUMBER    another choice of rows (default 15)
  --server FOLDER  the root of another checkout, installed: its judgement is measured
  --label NAME     the version's name in the tables; published results of another name stay beside it
  --misses         also list rows that miss an aim
  --json           print the result as JSON
  --publish        also write results/judgement.json and docs/judgement.md`

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '15' },
    server: { type: 'string' },
    label: { type: 'string', default: 'now' },
    misses: { type: 'boolean', default: false },
    ...outputOptions,
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  console.log(help)
  process.exit(0)
}
const folder = process.env.PRICE_DATA_DIR
if (!folder) {
  say('The real price files are not here: set PRICE_DATA_DIR to their folder. Nothing was measured.')
  if (options.json) console.log(JSON.stringify({ figures: [] }))
  process.exit(0)
}
const seed = Number(options.seed)
if (!Number.isSafeInteger(seed)) {
  console.error('--seed must be a whole number.')
  process.exit(2)
}

type Part = (world: scenarios.World) => Promise<{ faults?: FaultRow[]; moves?: MoveRow[] }>
const parts: readonly { name: string; run: Part }[] = [
  { name: 'rows', run: async (world) => ({ faults: await scenarios.runRowFaults(world) }) },
  ...scenarios.fileFaults.map((fault): { name: string; run: Part } => ({
    name: `files: ${fault.name}`,
    run: async (world) => ({ faults: await scenarios.runFileFault(world, fault) }),
  })),
  {
    name: 'dated',
    run: async (world) => ({
      faults: [
        ...(await scenarios.runDatedRise(world, true)),
        ...(await scenarios.runDatedRise(world, false)),
      ],
    }),
  },
  { name: 'moves', run: async (world) => ({ moves: await scenarios.runTrueMoves(world) }) },
  { name: 'real', run: async (world) => ({ moves: await scenarios.runRealMoves(world) }) },
]
if (options.publish && options.only !== '') {
  console.error('--publish is for the whole measurement: leave --only out.')
  process.exit(2)
}
const words = options.only.split(',').filter(Boolean)
const chosen = parts.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
if (chosen.length === 0) {
  console.error(`--only names none of: ${parts.map(({ name }) => name).join('; ')}`)
  process.exit(2)
}

const faults: FaultRow[] = []
const moves: MoveRow[] = []
const subject = await openSubject(options.server)
const rooms = await openRooms(subject)
try {
  say('Loading the files …')
  const world = await scenarios.openWorld(subject, rooms, { folder, seed })
  if (chosen.some(({ name }) => name !== 'real')) await scenarios.loadFiles(world)
  for (const { name, run } of chosen) {
    const start = performance.now()
    const result = await run(world)
    faults.push(...(result.faults ?? []))
    moves.push(...(result.moves ?? []))
    say(`${name}: ${Math.round((performance.now() - start) / 1000)} s`)
  }
} finally {
  await rooms.close()
}

const run: Run = { label: options.label, machine: describeMachine({}), seed, faults, moves }
const figures = figuresOf(run)
if (options.misses) say(`\n${missesOf(run).join('\n')}`)
const runs = await besideStored('judgement', run)
const tables = [...faultTables(runs), moveTable(runs), figureTable(`Figures and aims: ${run.label}`, figures)]
await reportResults(options, { ...run, figures }, tables, {
  name: 'judgement',
  document: 'judgement.md',
  data: { runs },
  machine: runs.map(({ label, machine }) => `${label}: ${machineText(machine)}`).join('\n\n'),
  tables: [
    ...faultTables(runs),
    moveTable(runs),
    ...runs.map((one) => figureTable(`Figures and aims: ${one.label}`, figuresOf(one))),
  ],
})
