import { connect } from '../../apps/server/src/database/connect.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { readSource } from '../../apps/server/src/ingest/run/read-source.ts'
import { UserError } from '../../apps/server/src/platform/user-error.ts'
import { resourceKey } from '../../apps/server/src/ingest/match/names.ts'
import { forgetful, openCluster } from './frame/database.ts'
import { figureOf, figureTable, median, say, type Table } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, stop } from './frame/options.ts'
import { report } from './frame/report.ts'
import { readContent } from './judgement/evidence.ts'
import { requireFiles } from './judgement/timeline.ts'
import { addReading, historyOf, readVendorMoves, type Lists, type Moved } from './replay/lists.ts'
import { replay, type Replayed } from './replay/play.ts'
import {
  addDays,
  daysBetween,
  isPriceAlert,
  judgeAlerts,
  judgeMove,
  returningRows,
  type Evidence,
  type JudgedAlert,
  type Verdict,
} from './replay/score.ts'

// What the feed makes of the history of the lists: is what it tells true, told once, and told soon?

const about = `Plays the states of three lists from 2024 to 2025 and of six in 2026, day after day, and holds what is told and served
against what the vendors announced and what the lists stated a month later. It needs PRICE_DATA_DIR. With --quick only
what time decides happens between the files, once a day; else each list is asked each day as well.`

const options = readOptions(about, {
  from: ['the first day', ''],
  to: ['the last day', '9999'],
  list: ['also print every price alert of makers and clouds, and whether it is true', false],
  misses: ['also list rows that came back to a price, and rows that no list states', false],
})
const folder = requireFiles()
const history = await historyOf(folder)
const files = history.filter(({ at }) => at.slice(0, 10) >= options.from && at.slice(0, 10) <= options.to)
if (files.length === 0) stop('There are no files of these days.')

const start = performance.now()
say(`Reading ${history.length} files …`)
const lists: Lists = new Map()
for (const file of history) {
  const content = await readContent(folder, file)
  try {
    const { records } = await readSource(file.source, { ...content, now: new Date(file.at) })
    addReading(lists, file.source, file.at, records)
  } catch (error) {
    // What is not the list's says nothing.
    if (!(error instanceof UserError)) throw error
    say(`  ${file.path}: ${error.message}`)
  }
}
const products = new Map<string, string>()
const moves = await readVendorMoves(folder)
const evidence: Evidence = { lists, moves, productOf: (key) => products.get(key) }
await using cluster = await openCluster(forgetful)
await using db = connect({ connectionString: await cluster.createDatabase('replay'), connectionsMax: 1 })
await migrate(db)
const replayed = await replay(db, {
  ...{ folder, files },
  // A week after the last file, what waits for a week is decided.
  until: options.to.length === 10 ? options.to : addDays(files.at(-1)!.at, 8).slice(0, 10),
  isQuick: options.quick,
})
// The products that are known at the end.
for (const [id, { product_id }] of replayed.served.now)
  if (product_id !== null) products.set(resourceKey(id), product_id)

const alerts = judgeAlerts(replayed.told, evidence)
const returning = returningRows(replayed)
const severe = alerts.filter(
  ({ isRepeated, verdict, told }) => (isRepeated || verdict === 'false') && told.severity === 5,
)
const told = movesOf(replayed, evidence)
const returnedTwice = returning.filter(({ returns }) => returns > 1)
const { mixtures } = replayed
const atEnd = mixtures.filter((text) => text.startsWith(replayed.until))
const figures = [
  figureOf('true price alerts of the judged', '%', shareOf(alerts) * 100),
  figureOf('false or repeated alerts of severity 5', 'alerts', severe.length),
  figureOf("vendors' moves that a list states", 'moves', told.stated),
  figureOf('told as an alert', 'moves', told.alerts),
  figureOf('neither told nor served as a new row', 'moves', told.missed),
  figureOf('days after the vendor, of those told (median)', 'days', told.daysAfter),
  figureOf('rows that came back to a price they had left', 'rows', returning.length),
  figureOf('rows that came back more than once', 'rows', returnedTwice.length),
  figureOf('rows that no list states together, at the end', 'rows', atEnd.length),
  figureOf('the same, at all month ends and the end', 'rows x months', mixtures.length),
  figureOf('runs', 'runs', replayed.runs),
  figureOf('changes published', 'changes', replayed.changes),
  figureOf('price alerts, resellers included', 'alerts', replayed.told.filter(isPriceAlert).length),
  figureOf('open holds at the end', 'holds', replayed.openHolds),
  figureOf('rows served at the end', 'rows', replayed.served.now.size),
  figureOf('time', 's', (performance.now() - start) / 1000),
]
const sourceTable: Table = {
  title: 'Days on which the newest file of a source was refused or held',
  head: ['', 'days', 'longest'],
  rows: [...replayed.sources].map(([name, { daysOut, longest }]) => [name, String(daysOut), String(longest)]),
}
const severeTable: Table = {
  title: 'False or repeated alerts of severity 5',
  head: ['day', 'rows', 'why'],
  textColumns: 3,
  rows: severe.map((alert) => [alert.told.at.slice(0, 10), rowsText(alert), reasonOf(alert)]),
}
if (options.list) console.log(alerts.map(lineOf).join('\n'))
if (options.misses) {
  for (const { id, returns, text } of returning) say(`came back ${returns} times: ${id}: ${text}`)
  for (const mixture of mixtures) say(`stated by no list: ${mixture}`)
}
const span = `${files[0]!.at.slice(0, 10)} to ${files.at(-1)!.at.slice(0, 10)}`
await report(options, {
  ...{ name: 'replay', document: 'judgement.md', figures },
  tables: [alertTable(alerts), told.table, sourceTable, severeTable, figureTable('Figures', figures)],
  data: { machine: describeMachine() },
  note: `${span}, ${options.quick ? 'quick' : 'asked daily'}.`,
})

function countOf(alerts: readonly JudgedAlert[], by: 'one' | 'more', verdict: Verdict['verdict']): number {
  const isOne = by === 'one'
  return alerts.filter((alert) => alert.verdict === verdict && (alert.by === 'one other list') === isOne)
    .length
}

function shareOf(alerts: readonly JudgedAlert[]): number {
  const first = alerts.filter(({ isRepeated }) => !isRepeated)
  const yes = countOf(first, 'more', 'true')
  return yes / (yes + countOf(first, 'more', 'false') + alerts.length - first.length)
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
        countOf(first, 'more', 'true'),
        countOf(first, 'more', 'false'),
        first.filter(({ by }) => by === 'catch-up').length,
        all.length - first.length,
        countOf(first, 'one', 'true'),
        countOf(first, 'one', 'false'),
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
  const toldAs = (how: (typeof stated)[number]['told']) => stated.filter(({ told }) => told === how).length
  return {
    stated: stated.length,
    alerts: toldAs('alert'),
    missed: toldAs('not told'),
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
