import { shown, type Figure, type Table } from '../figures.ts'
import type { Machine } from '../machine.ts'
import { median } from '../statistics.ts'
import { faultDays } from './row-faults.ts'
import type { FaultRow, MoveRow } from './scenarios.ts'
import type { FaultScore } from './score.ts'

/** One version under all faults. */
export interface Run {
  label: string
  machine: Machine
  seed: number
  faults: FaultRow[]
  moves: MoveRow[]
}

type Count = Exclude<keyof FaultScore, 'examples'>
const counts: readonly { name: Exclude<Count, 'rows'>; title: string }[] = [
  { name: 'falseDays', title: 'false' },
  { name: 'falseDeniedDays', title: 'denied' },
  { name: 'alerts', title: 'alerts' },
  { name: 'lostDays', title: 'lost' },
]

export function figuresOf({ faults, moves }: Run): Figure[] {
  const decidable = faults.filter((row) => !looksTrue(row))
  const sum = (rows: readonly FaultRow[], name: Count) => total(rows.map(({ score }) => score[name]))
  const witnessed = moves.filter(({ score }) => score.runsAfterSecond.length > 0 || score.untold > 0)
  return [
    {
      name: 'false values served that two independent sources deny',
      value: sum(faults, 'falseDeniedDays'),
      unit: 'rows x days',
      aim: { most: 0 },
    },
    {
      name: 'false alerts above severity 2',
      value: sum(decidable, 'alerts'),
      unit: 'alerts',
      aim: { most: 0 },
    },
    {
      name: 'true moves with two witnesses that were not told',
      value: total(witnessed.map(({ score }) => score.untold)),
      unit: 'moves',
      aim: { most: 0 },
    },
    {
      name: 'true moves told more than one run after the second witness',
      value: total(witnessed.map(({ score }) => score.late)),
      unit: 'moves',
      aim: { most: 0 },
    },
    { name: 'false values served, denied or not', value: sum(faults, 'falseDays'), unit: 'rows x days' },
    {
      name: 'nothing served although another source states it',
      value: sum(faults, 'lostDays'),
      unit: 'rows x days',
    },
    {
      name: 'alerts of a fault that stands for ten days, denied by at most one source',
      value: sum(faults.filter(looksTrue), 'alerts'),
      unit: 'alerts',
    },
  ]
}

/** By the evidence at hand it is a true move: its source stands by it, and at most one other states otherwise. */
function looksTrue({ stratum, days }: FaultRow): boolean {
  return days > 1 && (stratum === '1 other denies' || stratum === 'nobody else states it')
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The versions beside each other: one row for each fault, then one for each strength of the evidence. */
export function faultTables(runs: readonly Run[]): Table[] {
  const names = [...new Set(runs.flatMap(({ faults }) => faults.map(({ fault }) => fault)))]
  const byFault = names.map((name) => ({ name, of: (row: FaultRow) => row.fault === name }))
  const strata = [...new Set(runs.flatMap(({ faults }) => faults.map(({ stratum }) => stratum)))].sort()
  const byEvidence = strata.flatMap((stratum) =>
    faultDays.map((days) => ({
      name: `${stratum}, for ${days === 1 ? 'a day' : `${days} days`}`,
      of: (row: FaultRow) => row.stratum === stratum && (days === 1 ? row.days < 10 : row.days === days),
    })),
  )
  return [
    faultTable('Faults', runs, byFault),
    faultTable('The same, by how many sources say otherwise', runs, byEvidence),
  ]
}

function faultTable(
  title: string,
  runs: readonly Run[],
  lines: readonly { name: string; of: (row: FaultRow) => boolean }[],
): Table {
  const heads = counts.flatMap((count) => runs.map(({ label }) => `${count.title}: ${label}`))
  const rows = lines.flatMap(({ name, of }) => {
    const perRun = runs.map(({ faults }) => faults.filter(of))
    const planted = Math.max(...perRun.map((rows) => total(rows.map(({ score }) => score.rows))))
    if (planted <= 0) return []
    const cells = counts.flatMap((count) =>
      perRun.map((rows) => String(total(rows.map(({ score }) => score[count.name])))),
    )
    return [[name, String(planted), ...cells]]
  })
  return { title, head: ['', 'rows', ...heads], rows }
}

export function moveTable(runs: readonly Run[]): Table {
  const kinds = [...new Set(runs.flatMap(({ moves }) => moves.map(({ kind }) => kind)))]
  const heads = ['told', 'days after the first', 'runs after the second'].flatMap((head) =>
    runs.map(({ label }) => `${head}: ${label}`),
  )
  const rows = kinds.map((kind) => {
    const scores = runs.map(({ moves }) => moves.find((row) => row.kind === kind)?.score)
    const cells = [
      scores.map((score) => (score ? String(score.told) : '')),
      scores.map((score) => (score ? spread(score.daysAfterFirst) : '')),
      scores.map((score) => (score ? spread(score.runsAfterSecond) : '')),
    ]
    return [kind, String(Math.max(...scores.map((score) => score?.moves ?? 0))), ...cells.flat()]
  })
  return { title: 'True moves', head: ['', 'moves', ...heads], rows }
}

/** Median and greatest. */
function spread(values: readonly number[]): string {
  if (values.length === 0) return ''
  return `${shown(median(values))}, ${shown(Math.max(...values))}`
}

/** One line for each fault and each kind of move that misses an aim, with rows to look at. */
export function missesOf({ faults, moves }: Run): string[] {
  const ofFaults = faults.flatMap(({ fault, stratum, days, score }) =>
    score.examples.map((example) => `${fault}, ${stratum}, ${days} d: ${example}`),
  )
  const ofMoves = moves.flatMap(({ kind, score }) => score.examples.map((example) => `${kind}: ${example}`))
  return [...ofFaults, ...ofMoves]
}
