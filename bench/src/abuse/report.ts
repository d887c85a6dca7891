import {
  counted,
  figureOf,
  isMissed,
  median,
  rangeOf,
  rangeText,
  shown,
  sumOf,
  type Figure,
  type Table,
} from '../frame/figures.ts'
import type { LabelledRun } from '../frame/report.ts'
import { answers, countStatus, newTally, type Tally } from './attack.ts'
import type { Latencies, Service } from './judge.ts'
import { slowerMost, type Round } from './round.ts'

/** Most memory that any of the attacks may make a server take, in megabytes of 2^20. */
const memoryMbMax = 512

export interface Row {
  attack: string
  means: string
  rounds: Round[]
}

/** One version under all attacks. */
export interface Run extends LabelledRun {
  seconds: number
  rows: Row[]
}

type Kind = 'pages' | 'others'

/** What every attack is held against. */
export function figuresOf(rows: readonly Row[]): Figure[] {
  return rows.flatMap(({ attack, rounds }) => {
    const slower = (what: string, kind: Kind) =>
      figureOf(`${attack}: p99 of ${what} in that without it`, 'times', slowdowns(rounds, kind), {
        most: slowerMost,
      })
    const failed = rounds.map(({ attacked }) => failuresIn(attacked))
    const peaks = peaksOf(rounds)
    return [
      slower('pages', 'pages'),
      slower('other requests', 'others'),
      figureOf(`${attack}: requests of the customer without success`, 'requests', failed, { most: 0 }),
      {
        ...figureOf(`${attack}: most memory`, 'MB', peaks, { most: memoryMbMax }),
        // Not the median: the bound holds in every round.
        value: Math.max(...peaks),
      },
    ]
  })
}

/** Attacks that did not get through in every round: what was measured beside them says nothing. */
export function missedAttacks(rows: readonly Row[]): string[] {
  return rows.filter(({ rounds }) => rounds.some(({ hasLanded }) => !hasLanded)).map(({ attack }) => attack)
}

/** What the customer was served, and what the server held: the table to read. */
export function serviceTable({ label, rows }: Run): Table {
  const served = (services: readonly Service[], slowdown: (kind: Kind) => string) => {
    const of = (kind: Kind, pick: keyof Latencies) =>
      shown(median(services.map((service) => service[kind][pick])))
    const worst = Math.max(...services.map(({ pages }) => pages.worstMs))
    return [
      ...[of('pages', 'p50Ms'), of('pages', 'p99Ms'), slowdown('pages'), shown(worst)],
      ...[of('others', 'p50Ms'), of('others', 'p99Ms'), slowdown('others'), shareText(services)],
    ]
  }
  const quiet = rows.flatMap(({ rounds }) => rounds.map((round) => round.quiet))
  return {
    title: `A paying customer under attack: ${label}`,
    head: [
      ...['', 'pages: p50 ms', 'p99 ms', 'times quiet', 'worst ms'],
      ...['others: p50 ms', 'p99 ms', 'times quiet', 'without success'],
      ...['most MB', 'connections held', 'served again after s', 'aims'],
    ],
    rows: [
      ['nobody else', ...served(quiet, () => '1.00'), '', '', '', ''],
      ...rows.map((row) => {
        const { attack, rounds } = row
        const attacked = rounds.map((round) => round.attacked)
        return [
          attack,
          ...served(attacked, (kind) => shown(median(slowdowns(rounds, kind)))),
          shown(Math.max(...peaksOf(rounds))),
          counted(Math.max(...rounds.map(({ holdings }) => holdings.descriptors))),
          recoveryText(rounds),
          verdict(row),
        ]
      }),
    ],
  }
}

/** What each attacker had, and what it got: whether it was an attack. */
export function attackTable({ label, rows }: Run): Table {
  return {
    title: `What the attackers had and got: ${label}`,
    head: ['', 'means', 'connections', 'ended by the server', 'answers', 'MB received'],
    rows: rows.map(({ attack, means, rounds }) => {
      const tally = totalOf(rounds.map((round) => round.tally))
      return [
        attack,
        means,
        counted(tally.opened) + (tally.refused > 0 ? ` (${counted(tally.refused)} refused)` : ''),
        counted(tally.cut),
        statusesText(tally),
        shown(tally.receivedBytes / 2 ** 20),
      ]
    }),
  }
}

/** Versions beside each other, attack by attack. */
export function comparisonTable(runs: readonly Run[]): Table {
  const names = [...new Set(runs.flatMap(({ rows }) => rows.map(({ attack }) => attack)))]
  const columns = ['p99 of pages', 'of other requests', 'without success', 'most MB'] as const
  return {
    title: 'Versions beside each other: p99 in that without the attack',
    head: ['', ...columns.flatMap((column) => runs.map(({ label }) => `${column}: ${label}`))],
    rows: names.map((name) => {
      const found = runs.map(({ rows }) => rows.find(({ attack }) => attack === name)?.rounds ?? [])
      const cells = (text: (rounds: readonly Round[]) => string) =>
        found.map((rounds) => (rounds.length === 0 ? '' : text(rounds)))
      return [
        name,
        ...cells((rounds) => rangeOrOne(slowdowns(rounds, 'pages'))),
        ...cells((rounds) => rangeOrOne(slowdowns(rounds, 'others'))),
        ...cells((rounds) => shareText(rounds.map(({ attacked }) => attacked))),
        ...cells((rounds) => shown(Math.max(...peaksOf(rounds)))),
      ]
    }),
  }
}

/** p99 under the attack in p99 without it, round by round. */
function slowdowns(rounds: readonly Round[], kind: Kind): number[] {
  return rounds.map(({ quiet, attacked }) => attacked[kind].p99Ms / quiet[kind].p99Ms)
}

/** Of a server that has ended there is no number, and no aim that it holds. */
function peaksOf(rounds: readonly Round[]): number[] {
  return rounds.map(({ holdings }) => holdings.peakMb ?? NaN)
}

function failuresIn({ failures }: Service): number {
  return sumOf(Object.values(failures))
}

function shareText(services: readonly Service[]): string {
  const failed = sumOf(services.map(failuresIn))
  const all = sumOf(services.map(({ pages, others }) => pages.count + others.count))
  return failed === 0 ? '0' : `${counted(failed)} of ${counted(all)}`
}

function recoveryText(rounds: readonly Round[]): string {
  const times = rounds.map((round) => round.recoveryMs)
  if (times.includes(null)) return 'not in 30'
  return shown(Math.max(...times.map((ms) => (ms ?? 0) / 1_000)))
}

function verdict(row: Row): string {
  if (missedAttacks([row]).length > 0) return 'NO ATTACK'
  return figuresOf([row]).some(isMissed) ? 'MISSED' : 'hold'
}

function totalOf(tallies: readonly Tally[]): Tally {
  const sum = newTally()
  for (const tally of tallies) {
    for (const name of ['opened', 'refused', 'cut', 'receivedBytes'] as const) sum[name] += tally[name]
    for (const [status, times] of Object.entries(tally.statuses)) countStatus(sum, status, times)
  }
  return sum
}

function statusesText(tally: Tally): string {
  if (answers(tally) === 0) return 'none'
  return Object.entries(tally.statuses)
    .map(([status, number]) => `${counted(number)} × ${status}`)
    .join(', ')
}

function rangeOrOne(values: readonly number[]): string {
  const middle = shown(median(values))
  return values.length === 1 ? middle : `${middle} (${rangeText(rangeOf(values))})`
}
