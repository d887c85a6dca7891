import { figureOf, figureTable, median, say, shown, sumOf, type Figure, type Table } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { choose, onlyOption, readOptions } from './frame/options.ts'
import { report } from './frame/report.ts'
import { fileFaults } from './judgement/faults.ts'
import { requireFiles } from './judgement/timeline.ts'
import * as scenarios from './judgement/scenarios.ts'
import type { FaultRow, MoveRow } from './judgement/scenarios.ts'
import type { FaultScore } from './judgement/score.ts'

// What the feed makes of faults and of true moves: planted into the real files of six sources, read day after day.

const about = `Plants faults and true moves into the real price files of PRICE_DATA_DIR, reads them day after day, and counts what false
was served and told, and what true was told late: ten minutes.`

const options = readOptions(about, {
  only: [...onlyOption, 'rows'],
  seed: ['another choice of rows', 15],
  misses: ['also list rows that miss an aim', false],
})
const folder = requireFiles()

const { seed } = options
const faults: FaultRow[] = []
const moves: MoveRow[] = []
const parts = [
  { name: 'rows', run: async () => faults.push(...(await scenarios.runRowFaults(world))) },
  ...fileFaults.map((fault) => ({
    name: `files: ${fault.name}`,
    run: async () => faults.push(...(await scenarios.runFileFault(world, fault))),
  })),
  { name: 'moves', run: async () => moves.push(...(await scenarios.runTrueMoves(world))) },
]
const chosen = choose(parts, options.only)
say('Loading the files …')
await using world = await scenarios.openWorld(folder, seed)
for (const part of chosen) {
  const start = performance.now()
  await part.run()
  say(`${part.name}: ${Math.round((performance.now() - start) / 1000)} s`)
}
if (options.misses) say(`\n${missesOf().join('\n')}`)
const figures = figuresOf()
await report(options, {
  ...{ name: 'judgement', document: 'judgement.md', figures },
  tables: tablesOf(),
  data: { machine: describeMachine(), seed, faults, moves },
})

type Count = Exclude<keyof FaultScore, 'examples'>

function figuresOf(): Figure[] {
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

/** A row for each fault, for each strength of the evidence, and for each kind of move. */
function tablesOf(): Table[] {
  const byFault = Map.groupBy(faults, ({ fault }) => fault)
  const byEvidence = Map.groupBy(
    faults,
    ({ stratum, days }) => `${stratum}, for ${days < 10 ? 'a day' : '10 days'}`,
  )
  return [
    faultTable('Faults', [...byFault]),
    faultTable(
      'The same, by how many sources say otherwise',
      [...byEvidence].sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
    moveTable(),
    figureTable('Figures and aims', figures),
  ]
}

function faultTable(title: string, groups: readonly (readonly [name: string, rows: FaultRow[]])[]): Table {
  const counts = ['rows', 'falseDays', 'falseDeniedDays', 'alerts', 'lostDays'] as const
  return {
    title,
    head: ['', 'rows', 'false', 'denied', 'alerts', 'lost'],
    rows: groups.map(([name, rows]) => [name, ...counts.map((count) => String(sum(rows, count)))]),
  }
}

function moveTable(): Table {
  return {
    title: 'True moves',
    head: ['', 'moves', 'told', 'days after the first', 'runs after the second'],
    rows: moves.map(({ kind, score }) => [
      ...[kind, String(score.moves), String(score.told)],
      ...[medianAndMost(score.daysAfterFirst), medianAndMost(score.runsAfterSecond)],
    ]),
  }
}

function medianAndMost(values: readonly number[]): string {
  return values.length === 0 ? '' : `${shown(median(values))}, ${shown(Math.max(...values))}`
}

/** One line for each fault and each kind of move that misses an aim, with rows to look at. */
function missesOf(): string[] {
  const ofFaults = faults.map(({ fault, stratum, days, score }) => {
    return { name: `${fault}, ${stratum}, ${days} d`, score }
  })
  const named = [...ofFaults, ...moves.map(({ kind, score }) => ({ name: kind, score }))]
  return named.flatMap(({ name, score }) => score.examples.map((example) => `${name}: ${example}`))
}
