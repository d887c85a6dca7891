import { checkoutOptions } from './frame/checkout.ts'
import { figureOf, figureTable, median, say, shown, sumOf, type Figure, type Table } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { choose, onlyOption, readOptions, stop } from './frame/options.ts'
import { besideStored, report, type LabelledRun } from './frame/report.ts'
import { faultDays, fileFaults } from './judgement/faults.ts'
import { openRooms, openSubject, requireFiles } from './judgement/timeline.ts'
import * as scenarios from './judgement/scenarios.ts'
import type { FaultRow, MoveRow, World } from './judgement/scenarios.ts'
import type { FaultScore } from './judgement/score.ts'

// What the feed makes of faults and of true moves: planted into the real files of six sources, read day after day.

const about = `Plants faults and true moves into the real price files of PRICE_DATA_DIR, reads them day after day, and counts what false
was served and told, and what true was told late: ten minutes. Without PRICE_DATA_DIR it says so and measures nothing.`

const options = readOptions(about, {
  only: [...onlyOption, 'rows'],
  seed: ['another choice of rows', 15],
  ...checkoutOptions,
  misses: ['also list rows that miss an aim', false],
})
const folder = requireFiles(options.json)
if (options.publish && options.only !== '') stop('--publish is for the whole measurement: leave --only out.')

interface Part {
  name: string
  run: (world: World) => Promise<{ faults?: FaultRow[]; moves?: MoveRow[] }>
}
const parts: readonly Part[] = [
  { name: 'rows', run: async (world) => ({ faults: await scenarios.runRowFaults(world) }) },
  ...fileFaults.map((fault): Part => {
    return {
      name: `files: ${fault.name}`,
      run: async (world) => ({ faults: await scenarios.runFileFault(world, fault) }),
    }
  }),
  { name: 'dated', run: async (world) => ({ faults: await scenarios.runDatedRises(world) }) },
  { name: 'moves', run: async (world) => ({ moves: await scenarios.runTrueMoves(world) }) },
  { name: 'real', run: async (world) => ({ moves: await scenarios.runRealMoves(world) }) },
]
const { label, seed } = options
const run: JudgedRun = { label, machine: describeMachine(), seed, faults: [], moves: [] }
const chosen = choose(parts, options.only)
const subject = await openSubject(options.server)
await using rooms = await openRooms(subject)
say('Loading the files …')
const world = await scenarios.openWorld(subject, rooms, { folder, seed })
if (chosen.some(({ name }) => name !== 'real')) await scenarios.loadFiles(world)
for (const part of chosen) {
  const start = performance.now()
  const { faults = [], moves = [] } = await part.run(world)
  run.faults.push(...faults)
  run.moves.push(...moves)
  say(`${part.name}: ${Math.round((performance.now() - start) / 1000)} s`)
}
if (options.misses) say(`\n${missesOf(run).join('\n')}`)
if (options.only !== '') say('These parts alone: what is published is left out.')
const runs = options.only === '' ? await besideStored('judgement', run) : [run]
await report(options, {
  ...{ name: 'judgement', document: 'judgement.md' },
  figures: figuresOf(run),
  tables: tablesOf(runs),
  data: { runs },
})

/** One version under all faults. */
interface JudgedRun extends LabelledRun {
  seed: number
  faults: FaultRow[]
  moves: MoveRow[]
}

type Count = Exclude<keyof FaultScore, 'examples'>

function figuresOf({ faults, moves }: JudgedRun): Figure[] {
  const [looking, decidable] = [faults.filter(looksTrue), faults.filter((row) => !looksTrue(row))]
  const witnessed = moves.filter(({ score }) => score.runsAfterSecond.length > 0 || score.untold > 0)
  const ofMoves = (name: 'untold' | 'late') => sumOf(witnessed.map(({ score }) => score[name]))
  const [denied, ofLooking] = [sum(faults, 'falseDeniedDays'), sum(looking, 'alerts')]
  const none = { most: 0 }
  const days = 'rows x days'
  return [
    figureOf('false values served that two independent sources deny', days, denied, none),
    figureOf('false alerts above severity 2', 'alerts', sum(decidable, 'alerts'), none),
    figureOf('true moves with two witnesses that were not told', 'moves', ofMoves('untold'), none),
    figureOf('true moves told more than one run after the second witness', 'moves', ofMoves('late'), none),
    figureOf('false values served, denied or not', days, sum(faults, 'falseDays')),
    figureOf('nothing served although another source states it', days, sum(faults, 'lostDays')),
    figureOf('alerts of a fault that stands for ten days, denied by at most one source', 'alerts', ofLooking),
  ]
}

/** By the evidence at hand it is a true move: its source stands by it, and at most one other states otherwise. */
function looksTrue({ stratum, days }: FaultRow): boolean {
  return days > 1 && (stratum === '1 other denies' || stratum === 'nobody else states it')
}

function sum(rows: readonly FaultRow[], name: Count): number {
  return sumOf(rows.map(({ score }) => score[name]))
}

/** The versions beside each other: a row for each fault, for each strength of the evidence, and for each kind of move. */
function tablesOf(runs: readonly JudgedRun[]): Table[] {
  const faults = runs.flatMap((run) => run.faults)
  const byFault = [...new Set(faults.map(({ fault }) => fault))].map((name) => {
    return { name, of: (row: FaultRow) => row.fault === name }
  })
  const strata = [...new Set(faults.map(({ stratum }) => stratum))].sort()
  const byEvidence = strata.flatMap((stratum) =>
    faultDays.map((days) => ({
      name: `${stratum}, for ${days === 1 ? 'a day' : `${days} days`}`,
      of: (row: FaultRow) => row.stratum === stratum && (days === 1 ? row.days < 10 : row.days === days),
    })),
  )
  return [
    faultTable('Faults', runs, byFault),
    faultTable('The same, by how many sources say otherwise', runs, byEvidence),
    moveTable(runs),
    ...runs.map((one) => figureTable(`Figures and aims: ${one.label}`, figuresOf(one))),
  ]
}

function faultTable(
  title: string,
  runs: readonly JudgedRun[],
  lines: readonly { name: string; of: (row: FaultRow) => boolean }[],
): Table {
  const counts: readonly [name: Count, title: string][] = [
    ['falseDays', 'false'],
    ['falseDeniedDays', 'denied'],
    ['alerts', 'alerts'],
    ['lostDays', 'lost'],
  ]
  const heads = counts.flatMap(([, head]) => runs.map(({ label }) => `${head}: ${label}`))
  const rows = lines.flatMap(({ name, of }) => {
    const perRun = runs.map(({ faults }) => faults.filter(of))
    const planted = Math.max(...perRun.map((rows) => sum(rows, 'rows')))
    if (planted <= 0) return []
    return [
      [name, String(planted), ...counts.flatMap(([count]) => perRun.map((rows) => String(sum(rows, count))))],
    ]
  })
  return { title, head: ['', 'rows', ...heads], rows }
}

function moveTable(runs: readonly JudgedRun[]): Table {
  const kinds = [...new Set(runs.flatMap(({ moves }) => moves.map(({ kind }) => kind)))]
  const heads = ['told', 'days after the first', 'runs after the second'].flatMap((head) =>
    runs.map(({ label }) => `${head}: ${label}`),
  )
  const rows = kinds.map((kind) => {
    const scores = runs.map(({ moves }) => moves.find((row) => row.kind === kind)?.score)
    const cells = [
      scores.map((score) => (score ? String(score.told) : '')),
      scores.map((score) => medianAndMost(score?.daysAfterFirst)),
      scores.map((score) => medianAndMost(score?.runsAfterSecond)),
    ]
    return [kind, String(Math.max(...scores.map((score) => score?.moves ?? 0))), ...cells.flat()]
  })
  return { title: 'True moves', head: ['', 'moves', ...heads], rows }
}

function medianAndMost(values: readonly number[] = []): string {
  return values.length === 0 ? '' : `${shown(median(values))}, ${shown(Math.max(...values))}`
}

/** One line for each fault and each kind of move that misses an aim, with rows to look at. */
function missesOf({ faults, moves }: JudgedRun): string[] {
  const ofFaults = faults.flatMap(({ fault, stratum, days, score }) =>
    score.examples.map((example) => `${fault}, ${stratum}, ${days} d: ${example}`),
  )
  return [...ofFaults, ...moves.flatMap(({ kind, score }) => score.examples.map((one) => `${kind}: ${one}`))]
}
