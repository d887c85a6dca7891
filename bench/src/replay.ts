import { readSource } from '../../apps/server/src/ingest/run/read-source.ts'
import { UserError } from '../../apps/server/src/platform/user-error.ts'
import { checkoutOptions } from './frame/checkout.ts'
import { say } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, stop } from './frame/options.ts'
import { besideStored, report } from './frame/report.ts'
import { readContent } from './judgement/evidence.ts'
import { openRooms, openSubject, requireFiles } from './judgement/rooms.ts'
import { addReading, historyOf, readVendorMoves, type Lists } from './replay/lists.ts'
import { openOperator } from './replay/operator.ts'
import { replay } from './replay/play.ts'
import { findingsOf, productsOf, tablesOf, type ReplayRun } from './replay/report.ts'
import { addDays, type Evidence } from './replay/truth.ts'

// What the feed makes of the history of the lists: is what it tells true, told once, and told soon?

const about = `Plays the states of three lists from 2024 to 2025 and of six in 2026, day after day, and holds what is told and served
against what the vendors announced and what the lists stated a month later. It needs PRICE_DATA_DIR; without it it says
so and measures nothing. With --quick only what time decides happens between the files, once a day; else each list is
asked each day as well.`

const options = readOptions(about, {
  from: ['the first day', ''],
  to: ['the last day', '9999'],
  operator: ['somebody looks the next day, and decides holds where the truth is known', false],
  'only-sources': ['lists to play, with commas between them; all lists are evidence', ''],
  ...checkoutOptions,
  list: ['also print every price alert of makers and clouds, and whether it is true', false],
  misses: ['also list rows that came back to a price, and rows that no list states', false],
})
const folder = requireFiles(options.json)
const names = options['only-sources'].split(',').filter(Boolean)
const history = await historyOf(folder)
const files = history.filter(({ source, at }) => {
  const day = at.slice(0, 10)
  return day >= options.from && day <= options.to && (names.length === 0 || names.includes(source))
})
if (files.length === 0) stop('There are no files of these days and lists.')

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
const subject = await openSubject(options.server)
await using rooms = await openRooms(subject)
await rooms.prepare('empty', () => Promise.resolve())
const replayed = await rooms.within('empty', async (db) =>
  replay(db, subject, {
    ...{ folder, files },
    // A week after the last file, what waits for a week is decided.
    until: options.to.length === 10 ? options.to : addDays(files.at(-1)!.at, 8).slice(0, 10),
    isQuick: options.quick,
    decideHolds: options.operator ? await openOperator(subject, evidence) : null,
  }),
)
for (const [key, product] of productsOf(replayed)) products.set(key, product)
const seconds = (performance.now() - start) / 1000
const { figures, tables, alerts, misses } = findingsOf(replayed, evidence, seconds)
const days = `${files[0]!.at.slice(0, 10)} to ${files.at(-1)!.at.slice(0, 10)}`
const asked = options.quick ? 'quick' : 'asked daily'
const way = [days, asked, options.operator ? 'an operator looks' : 'nobody attends'].join(', ')
const run: ReplayRun = { label: options.label, machine: describeMachine(), way, figures, tables }
if (options.list) console.log(alerts.join('\n'))
if (options.misses) say(`\n${misses.join('\n')}`)
const runs = await besideStored('replay', run)
await report(options, {
  ...{ name: 'replay', document: 'judgement.md' },
  figures,
  tables: runs.flatMap(tablesOf),
  data: { runs },
})
