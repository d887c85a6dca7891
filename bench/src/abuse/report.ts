import {
  counted,
  figureOf,
  isMissed,
  median,
  shown,
  sumOf,
  type Figure,
  type Table,
} from '../frame/figures.ts'
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
export function serviceTable(rows: readonly Row[]): Table {
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
    title: 'A paying customer under attack',
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
export function attackTable(rows: readonly Row[]): Table {
  return {
    title: 'What the attackers had and got',
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
