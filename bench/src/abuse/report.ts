import { rangeText, shown, type Figure, type Table } from '../figures.ts'
import type { Machine } from '../machine.ts'
import { median, spreadOf } from '../statistics.ts'
import type { Latencies, Service } from './judge.ts'
import { slowerMost, type Round } from './round.ts'
import { answers, type Tally } from './tally.ts'

/** Most memory that any of the attacks may make a server take, in megabytes of 2^20. */
const memoryMbMax = 512

export interface Row {
  attack: string
  means: string
  rounds: Round[]
}

/** One version under all attacks. */
export interface Run {
  label: string
  machine: Machine
  seconds: number
  rows: Row[]
}

type Kind = 'pages' | 'others'

/** What every attack is held against. */
export function figuresOf(rows: readonly Row[]): Figure[] {
  return rows.flatMap(({ attack, rounds }) => {
    const peaks = spreadOf(peaksOf(rounds))
    const failed = rounds.map(({ attacked }) => failuresIn(attacked))
    return [
      figure(`${attack}: p99 of pages in that without it`, 'times', slowdowns(rounds, 'pages'), slowerMost),
      figure(
        `${attack}: p99 of other requests in that without it`,
        'times',
        slowdowns(rounds, 'others'),
        slowerMost,
      ),
      figure(`${attack}: requests of the customer without success`, 'requests', failed, 0),
      {
        ...figure(`${attack}: most memory`, 'MB', [], memoryMbMax),
        // Not the median: the bound holds in every round.
        value: peaks.max,
        range: { min: peaks.min, max: peaks.max },
      },
    ]
  })
}

function figure(name: string, unit: string, values: readonly number[], most: number): Figure {
  const { median: value, min, max } = spreadOf(values)
  return { name, value, unit, range: { min, max }, aim: { most } }
}

/** Attacks that did not get through in every round: what was measured beside them says nothing. */
export function missedAttacks(rows: readonly Row[]): string[] {
  return rows.filter(({ rounds }) => rounds.some(({ hasLanded }) => !hasLanded)).map(({ attack }) => attack)
}

/** What the customer was served, and what the server held: the table to read. */
export function serviceTable({ label, rows }: Run): Table {
  const quiet = rows.flatMap(({ rounds }) => rounds.map((round) => round.quiet))
  const of = (services: readonly Service[], kind: Kind, pick: keyof Latencies) =>
    shown(median(services.map((service) => service[kind][pick])))
  return {
    title: `A paying customer under attack: ${label}`,
    head: [
      ...[
        '',
        'pages: p50 ms',
        'p99 ms',
        'times quiet',
        'worst ms',
        'others: p50 ms',
        'p99 ms',
        'times quiet',
      ],
      ...['without success', 'most MB', 'connections held', 'served again after s', 'aims'],
    ],
    rows: [
      [
        'nobody else',
        of(quiet, 'pages', 'p50Ms'),
        of(quiet, 'pages', 'p99Ms'),
        '1.00',
        shown(Math.max(...quiet.map(({ pages }) => pages.worstMs))),
        of(quiet, 'others', 'p50Ms'),
        of(quiet, 'others', 'p99Ms'),
        '1.00',
        shareText(quiet),
        ...['', '', '', ''],
      ],
      ...rows.map((row): string[] => {
        const { attack, rounds } = row
        const attacked = rounds.map((round) => round.attacked)
        return [
          attack,
          of(attacked, 'pages', 'p50Ms'),
          of(attacked, 'pages', 'p99Ms'),
          shown(median(slowdowns(rounds, 'pages'))),
          shown(Math.max(...attacked.map(({ pages }) => pages.worstMs))),
          of(attacked, 'others', 'p50Ms'),
          of(attacked, 'others', 'p99Ms'),
          shown(median(slowdowns(rounds, 'others'))),
          shareText(attacked),
          shown(Math.max(...peaksOf(rounds))),
          Math.max(...rounds.map(({ holdings }) => holdings.descriptors)).toLocaleString('en-US'),
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
      const tally = sumOf(rounds.map((round) => round.tally))
      return [
        attack,
        means,
        count(tally.opened) + (tally.refused > 0 ? ` (${count(tally.refused)} refused)` : ''),
        count(tally.cut),
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
  return Object.values(failures).reduce((sum, number) => sum + number, 0)
}

function shareText(services: readonly Service[]): string {
  const failed = services.reduce((sum, service) => sum + failuresIn(service), 0)
  const all = services.reduce((sum, { pages, others }) => sum + pages.count + others.count, 0)
  return failed === 0 ? '0' : `${count(failed)} of ${count(all)}`
}

function recoveryText(rounds: readonly Round[]): string {
  const times = rounds.map((round) => round.recoveryMs)
  if (times.includes(null)) return 'not in 30'
  return shown(Math.max(...times.map((ms) => (ms ?? 0) / 1_000)))
}

function verdict(row: Row): string {
  if (missedAttacks([row]).length > 0) return 'NO ATTACK'
  const missed = figuresOf([row]).filter(({ value, aim }) => !(value <= (aim?.most ?? Infinity)))
  return missed.length === 0 ? 'hold' : 'MISSED'
}

function sumOf(tallies: readonly Tally[]): Tally {
  const sum = (pick: (tally: Tally) => number) => tallies.reduce((total, tally) => total + pick(tally), 0)
  const statuses = [...new Set(tallies.flatMap((tally) => Object.keys(tally.statuses)))]
  return {
    opened: sum(({ opened }) => opened),
    refused: sum(({ refused }) => refused),
    cut: sum(({ cut }) => cut),
    requests: sum(({ requests }) => requests),
    statuses: Object.fromEntries(
      statuses.map((status) => [status, sum((tally) => tally.statuses[status] ?? 0)]),
    ),
    sentBytes: sum(({ sentBytes }) => sentBytes),
    receivedBytes: sum(({ receivedBytes }) => receivedBytes),
  }
}

function statusesText(tally: Tally): string {
  if (answers(tally) === 0) return 'none'
  return Object.entries(tally.statuses)
    .map(([status, number]) => `${count(number)} × ${status}`)
    .join(', ')
}

function rangeOrOne(values: readonly number[]): string {
  const { median: value, ...range } = spreadOf(values)
  return values.length === 1 ? shown(value) : `${shown(value)} (${rangeText(range)})`
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
