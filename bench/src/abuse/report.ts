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
import { answers, type Tally } from './attack.ts'
import type { Latencies, Service } from './judge.ts'
import { slowerMost, type Round } from './round.ts'

/** Most memory that any of the attacks may make a server take, in megabytes of 2^20. */
const memoryMbMax = 512

export interface Row extends Round {
  attack: string
  means: string
}

type Kind = 'pages' | 'others'

/** What every attack is held against. */
export function figuresOf(rows: readonly Row[]): Figure[] {
  return rows.flatMap((row) => {
    const { attack, attacked, holdings } = row
    const aim = { most: slowerMost }
    const slower = (kind: Kind) =>
      figureOf(`${attack}: p99 of ${kind} in that without it`, 'times', slowdown(row, kind), aim)
    const failed = failuresIn(attacked)
    return [
      slower('pages'),
      slower('others'),
      figureOf(`${attack}: requests of the customer without success`, 'requests', failed, { most: 0 }),
      // Of a server that has ended there is no number, and no aim that it holds.
      figureOf(`${attack}: most memory`, 'MB', holdings.peakMb ?? NaN, { most: memoryMbMax }),
    ]
  })
}

/** What the customer was served, and what the server held: the table to read. */
export function serviceTable(rows: readonly Row[]): Table {
  return {
    title: 'A paying customer under attack',
    head: [
      ...['', 'pages: p50 ms', 'p99 ms', 'times quiet', 'worst ms'],
      ...['others: p50 ms', 'p99 ms', 'times quiet', 'without success'],
      ...['most MB', 'connections held', 'served again after s', 'aims'],
    ],
    rows: [
      ['nobody else', ...serviceCells(middleOf(rows.map(({ quiet }) => quiet))), '', '', '', ''],
      ...rows.map((row) => {
        const { attack, attacked, holdings, recoveryMs } = row
        return [
          ...[attack, ...serviceCells(attacked, row)],
          ...[shown(holdings.peakMb ?? NaN), counted(holdings.descriptors)],
          recoveryMs === null ? 'not in 30' : shown(recoveryMs / 1_000),
          verdict(row),
        ]
      }),
    ],
  }
}

/** @param row undefined: nobody attacked */
function serviceCells(service: Service, row?: Row): string[] {
  const { pages, others } = service
  const slower = (kind: Kind) => shown(row ? slowdown(row, kind) : 1)
  return [
    ...[shown(pages.p50Ms), shown(pages.p99Ms), slower('pages'), shown(pages.worstMs)],
    ...[shown(others.p50Ms), shown(others.p99Ms), slower('others'), shareText(service)],
  ]
}

/** The medians of several services, the worst of their pages, and all their failures. */
function middleOf(services: readonly Service[]): Service {
  const latenciesOf = (kind: Kind): Latencies => {
    const all = services.map((service) => service[kind])
    return {
      count: sumOf(all.map(({ count }) => count)),
      p50Ms: median(all.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
      worstMs: Math.max(...all.map(({ worstMs }) => worstMs)),
    }
  }
  const failures = { all: sumOf(services.map(failuresIn)) }
  return { pages: latenciesOf('pages'), others: latenciesOf('others'), failures }
}

/** What each attacker had, and what it got: whether it was an attack. */
export function attackTable(rows: readonly Row[]): Table {
  return {
    title: 'What the attackers had and got',
    head: ['', 'means', 'connections', 'ended by the server', 'answers', 'MB received'],
    rows: rows.map(({ attack, means, tally }) => [
      attack,
      means,
      counted(tally.opened) + (tally.refused > 0 ? ` (${counted(tally.refused)} refused)` : ''),
      counted(tally.cut),
      statusesText(tally),
      shown(tally.receivedBytes / 2 ** 20),
    ]),
  }
}

/** p99 under the attack in p99 without it. */
function slowdown({ quiet, attacked }: Round, kind: Kind): number {
  return attacked[kind].p99Ms / quiet[kind].p99Ms
}

function failuresIn({ failures }: Service): number {
  return sumOf(Object.values(failures))
}

function shareText(service: Service): string {
  const failed = failuresIn(service)
  return failed === 0 ? '0' : `${counted(failed)} of ${counted(service.pages.count + service.others.count)}`
}

function verdict(row: Row): string {
  if (!row.hasLanded) return 'NO ATTACK'
  return figuresOf([row]).some(isMissed) ? 'MISSED' : 'hold'
}

function statusesText(tally: Tally): string {
  if (answers(tally) === 0) return 'none'
  return Object.entries(tally.statuses)
    .map(([status, number]) => `${counted(number)} × ${status}`)
    .join(', ')
}
