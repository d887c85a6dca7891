import { parseArgs } from 'node:util'
import { readSource } from '../../apps/server/src/feed/read-source.ts'
import { UserError } from '../../apps/server/src/platform/user-error.ts'
import { figureTable, say } from './figures.ts'
import { describeMachine, machineText } from './machine.ts'
import { readContent } from './judgement/price-files.ts'
import { openRooms } from './judgement/rooms.ts'
import { openSubject } from './judgement/subject.ts'
import { outputOptions } from './options.ts'
import { historyOf, readVendorMoves } from './replay/history.ts'
import { addReading, type Lists } from './replay/lists.ts'
import { openOperator } from './replay/operator.ts'
import { replay } from './replay/play.ts'
import { findingsOf, productsOf, type ReplayRun } from './replay/report.ts'
import { addDays, type Evidence } from './replay/truth.ts'
import { besideStored, reportResults } from './results.ts'

// What the feed makes of the history of the lists: is what it tells true, told once, and told soon?

const help = `Usage: pnpm --filter @ratecard/bench replay [options]

Plays the states of three lists from 2024 to 2025 and of six in 2026, day after day, and holds what is told and served
against what the vendors announced and what the lists stated a month later. It needs PRICE_DATA_DIR; without it it says
so and measures nothing.

  --from DAY, --to DAY  this part of the history
  --quick               between files only what time decides, once a day; else each list is asked each day as well
  --operator            somebody looks the next day: takes refused files in, and decides holds where the truth is known
  --only-sources NAMES  lists to play, with commas between them; all lists are evidence
  --server FOLDER       the root of another checkout, installed: its judgement is measured
  --label NAME          the version's name in the tables; published results of another name stay beside it
  --list                also print every price alert on the platforms of makers and clouds, and whether it is true
  --misses              also list rows that came back to a price, and rows that no list states
  --json                print the result as JSON
  --publish             also write results/replay.json and docs/judgement.md`

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '' },
    to: { type: 'string', default: '9999' },
    quick: { type: 'boolean', default: false },
    operator: { type: 'boolean', default: false },
    'only-sources': { type: 'string', default: '' },
    server: { type: 'string' },
    label: { type: 'string', default: 'now' },
    list: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    ...outputOptions,
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  console.log(help)
  process.exit(0)
}
const folder = process.env.PRICE_DATA_DIR
if (!folder) {
  say('The real price files are not here: set PRICE_DATA_DIR to their folder. Nothing was measured.')
  if (options.json) console.log(JSON.stringify({ figures: [] }))
  process.exit(0)
}
const names = options['only-sources'].split(',').filter(Boolean)
const history = await historyOf(folder)
const files = history.filter(({ source, at }) => {
  const day = at.slice(0, 10)
  return day >= options.from && day <= options.to && (names.length === 0 || names.includes(source))
})
if (files.length === 0) {
  console.error('There are no files of these days and lists.')
  process.exit(2)
}

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
const evidence: Evidence = {
  lists,
  moves: await readVendorMoves(folder),
  productOf: (key) => products.get(key),
}
const subject = await openSubject(options.server)
const rooms = await openRooms(subject)
try {
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
  const way = [
    options.quick ? 'quick' : 'asked daily',
    options.operator ? 'an operator looks' : 'nobody attends',
  ]
  const days = `${files[0]!.at.slice(0, 10)} to ${files.at(-1)!.at.slice(0, 10)}`
  const run: ReplayRun = {
    ...{
      label: options.label,
      machine: describeMachine({}),
      way: [days, ...way].join(', '),
      figures,
      tables,
    },
  }
  if (options.list) console.log(alerts.join('\n'))
  if (options.misses) say(`\n${misses.join('\n')}`)
  const runs = await besideStored('replay', run)
  const shown = (one: ReplayRun) => [
    ...one.tables.map((table) => ({ ...table, title: `${table.title}: ${one.label}` })),
    figureTable(`Figures: ${one.label}`, one.figures),
  ]
  await reportResults(options, { ...run }, shown(run), {
    name: 'replay',
    document: 'judgement.md',
    data: { runs },
    machine: runs.map((one) => `${one.label}: ${one.way}; ${machineText(one.machine)}`).join('\n\n'),
    tables: runs.flatMap(shown),
  })
} finally {
  await rooms.close()
}
