import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import { figureOf, figureTable, median, type Figure, type Table } from '../frame/figures.ts'
import type { LabelledRun } from '../frame/report.ts'
import type { Moved } from './lists.ts'
import type { Replayed } from './play.ts'
import { isPriceAlert, judgeAlerts, judgeMove, returningRows, type JudgedAlert } from './score.ts'
import { daysBetween, type Evidence } from './truth.ts'

// The counts of a replay in tables, and the cases behind them in lines.

/** One version through the whole history. */
export interface ReplayRun extends LabelledRun {
  figures: Figure[]
  tables: Table[]
}

export function tablesOf({ label, tables, figures }: ReplayRun): Table[] {
  const own = tables.map((table) => ({ ...table, title: `${table.title}: ${label}` }))
  return [...own, figureTable(`Figures: ${label}`, figures)]
}

interface Findings extends Pick<ReplayRun, 'figures' | 'tables'> {
  alerts: string[]
  misses: string[]
}

export function findingsOf(replayed: Replayed, evidence: Evidence, seconds: number): Findings {
  const alerts = judgeAlerts(replayed.told, evidence)
  const returning = returningRows(replayed, evidence)
  const severe = alerts.filter(
    ({ isRepeated, verdict, told }) => (isRepeated || verdict === 'false') && told.severity === 5,
  )
  const moves = movesOf(replayed, evidence)
  const known = returning.filter(({ returnsOfKnown }) => returnsOfKnown > 1)
  const atEnd = replayed.mixtures.filter((text) => text.startsWith(replayed.until))
  const figures = [
    figureOf('true price alerts of the judged', '%', shareOf(alerts) * 100),
    figureOf('false or repeated alerts of severity 5', 'alerts', severe.length),
    figureOf("vendors' moves that a list states", 'moves', moves.stated),
    figureOf('told as an alert', 'moves', moves.alerts),
    figureOf('neither told nor served as a new row', 'moves', moves.missed),
    figureOf('days after the vendor, of those told (median)', 'days', moves.daysAfter),
    figureOf('rows that came back to a price they had left', 'rows', returning.length),
    figureOf(
      'rows that came back more than once',
      'rows',
      returning.filter(({ returns }) => returns > 1).length,
    ),
    figureOf('the same, not by a list that had the row for the first time', 'rows', known.length),
    figureOf('rows that no list states together, at the end', 'rows', atEnd.length),
    figureOf('the same, at all month ends and the end', 'rows x months', replayed.mixtures.length),
    figureOf('runs', 'runs', replayed.runs),
    figureOf('changes published', 'changes', replayed.changes),
    figureOf('price alerts, resellers included', 'alerts', replayed.told.filter(isPriceAlert).length),
    figureOf('open holds at the end', 'holds', replayed.openHolds),
    figureOf('rows served at the end', 'rows', replayed.served.now.size),
    figureOf('time', 's', seconds),
  ]
  const severeTable = {
    title: 'False or repeated alerts of severity 5',
    head: ['day', 'rows', 'why'],
    textColumns: 3,
    rows: severe.map((alert) => [alert.told.at.slice(0, 10), rowsText(alert), reasonOf(alert)]),
  }
  return {
    figures,
    tables: [alertTable(alerts), moves.table, sourceTable(replayed), severeTable],
    alerts: alerts.map(lineOf),
    misses: [
      ...returning.map(({ id, returns, text }) => `came back ${returns} times: ${id}: ${text}`),
      ...replayed.mixtures.map((mixture) => `stated by no list: ${mixture}`),
    ],
  }
}

const lists = (all: readonly JudgedAlert[], by: 'one' | 'more', verdict: string) =>
  all.filter((alert) => alert.verdict === verdict && (alert.by === 'one other list') === (by === 'one'))

function shareOf(alerts: readonly JudgedAlert[]): number {
  const first = alerts.filter(({ isRepeated }) => !isRepeated)
  const repeated = alerts.length - first.length
  const yes = lists(first, 'more', 'true').length
  return yes / (yes + lists(first, 'more', 'false').length + repeated)
}

function alertTable(alerts: readonly JudgedAlert[]): Table {
  const groups = {
    "makers' own platforms": alerts.filter(({ seller }) => seller === 'maker'),
    clouds: alerts.filter(({ seller }) => seller === 'cloud'),
    together: alerts,
  }
  return {
    title: 'Price alerts on the platforms of makers and clouds: true or not',
    head: [
      ...['', 'alerts', 'true', 'false', 'of them catch-up', 'repeated', 'one other list: true'],
      ...['one other list: false', 'not judged', 'true of the judged'],
    ],
    rows: Object.entries(groups).map(([name, all]) => {
      const first = all.filter(({ isRepeated }) => !isRepeated)
      const counts = [
        all.length,
        lists(first, 'more', 'true').length,
        lists(first, 'more', 'false').length,
        first.filter(({ by }) => by === 'catch-up').length,
        all.length - first.length,
        lists(first, 'one', 'true').length,
        lists(first, 'one', 'false').length,
        first.filter(({ verdict }) => verdict === 'not judged').length,
      ]
      const share = shareOf(all)
      return [name, ...counts.map(String), Number.isNaN(share) ? '' : `${Math.round(share * 100)} %`]
    }),
  }
}

function movesOf(replayed: Replayed, evidence: Evidence) {
  const results = evidence.moves
    .filter(({ on }) => on >= replayed.from && on <= replayed.until)
    .filter(({ before, after }) => String(before) !== String(after))
    .map((move) => judgeMove(move, replayed, evidence))
  const stated = results.filter(({ firstList }) => firstList !== null)
  const days = (since: string, at: string | null) =>
    at === null ? '' : String(Math.round(daysBetween(since, at)))
  const delays = stated.flatMap(({ move, toldAt }) => (toldAt === null ? [] : [daysBetween(move.on, toldAt)]))
  const countOf = (how: (typeof stated)[number]['told']) => stated.filter(({ told }) => told === how).length
  return {
    stated: stated.length,
    alerts: countOf('alert'),
    missed: countOf('not told'),
    daysAfter: median(delays),
    table: {
      title: "Vendors' moves",
      head: [
        ...['', 'on', 'to', 'told', 'on', 'days after the vendor', 'first list', 'since'],
        ...['days after the first list', 'times', 'served'],
      ],
      textColumns: 5,
      rows: results.map(({ move, told: how, toldAt, times, firstList, servedAt }) => [
        ...[move.resource_id, move.on, move.after.join('/')],
        how === 'not told' && firstList === null ? 'no list has it' : how,
        ...[toldAt?.slice(0, 10) ?? '', days(move.on, toldAt)],
        ...[firstList?.name ?? '', firstList?.at.slice(0, 10) ?? ''],
        ...[firstList ? days(firstList.at, toldAt) : '', String(times), servedAt?.slice(0, 10) ?? ''],
      ]),
    },
  }
}

function sourceTable({ sources }: Replayed): Table {
  return {
    title: 'Days on which the newest file of a source was refused or held',
    head: ['', 'days', 'longest'],
    rows: [...sources].map(([name, { daysOut, longest }]) => [name, String(daysOut), String(longest)]),
  }
}

function reasonOf({ isRepeated, verdict, by, reason }: JudgedAlert): string {
  return `${isRepeated ? 'repeated' : verdict} (${by === 'nobody' ? '' : `${by}; `}${reason})`
}

function rowsText({ told }: JudgedAlert): string {
  const side = (amounts: Moved) => Object.values(amounts).join('/')
  const texts = told.rows.map(({ resource_id, before, after }) => {
    return `${resource_id} ${side(before)} -> ${side(after)}`
  })
  return texts.length > 3 ? `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more` : texts.join(', ')
}

function lineOf(alert: JudgedAlert): string {
  const { at, severity, category } = alert.told
  return [at.slice(0, 10), severity, category, rowsText(alert), reasonOf(alert)].join('\t')
}

/** The products that are known at the end, and those of a vendor's rows. */
export function productsOf({ served }: Replayed): Map<string, string> {
  return new Map(
    [...served.now].flatMap(([id, { product_id }]) =>
      product_id === null ? [] : [[resourceKey(id), product_id]],
    ),
  )
}
