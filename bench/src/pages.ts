import { parseArgs } from 'node:util'
import { listCases, type PageCase } from '../../apps/server/test/page-queries/cases.ts'
import { loadChanges, loadPrices } from '../../apps/server/test/page-queries/load.ts'
import { explainPage } from '../../apps/server/test/page-queries/plan.ts'
import type { Db } from '../../apps/server/src/database/connect.ts'
import { openDatabase } from './database.ts'
import { say } from './figures.ts'
import { executionLimitMs, printReport, type Report, type Result } from './report.ts'
import { median } from './statistics.ts'

// Every page of every filter of both lists on a large table: is it answered from an index, and in time?

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    limit: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
})
const rows = wholeNumber('rows', options.rows, 1_000)
const limit = wholeNumber('limit', options.limit, 1)

const runs = 5
const ratioRuns = 101
// A few pages' worth, and a few hundred for the small ones.
const rowsBesides = Math.max(500, 5 * limit)
const planLimits = { sortedRows: rowsBesides, strayRows: rowsBesides }

await using database = await openDatabase()
const { db } = database
const report: Report = { rows, limit, loadSeconds: {}, ratios: {}, results: [] }
for (const [name, load] of [
  ['prices', loadPrices],
  ['changes', loadChanges],
] as const) {
  say(`Loading ${rows} ${name} …`)
  const start = performance.now()
  const table = await load(db, rows)
  report.loadSeconds[name] = Math.round((performance.now() - start) / 100) / 10
  const cases = [...listCases(table)]
  say(`Asking for ${cases.length} pages of ${name} …`)
  for (const page of cases) report.results.push(await measure(db, page))
  report.ratios[name] = await compareEnds(db, cases)
}
printReport(report, options.json)

async function measure(db: Db, page: PageCase): Promise<Result> {
  // The first one warms up.
  const [, ...reports] = await repeat(1 + runs, () => explainPage(db, page, limit, planLimits))
  const executionMs = median(reports.map((report) => report.executionMs))
  const faults = [...new Set(reports.flatMap((report) => report.faults))]
  if (executionMs >= executionLimitMs) faults.push(`${executionMs.toFixed(2)} ms`)
  return {
    table: page.table.name,
    filter: page.filter,
    match: page.match,
    position: page.position,
    rows: reports[0]?.rows ?? 0,
    executionMs,
    planningMs: median(reports.map((report) => report.planningMs)),
    plan: reports[0]?.summary ?? '',
    faults,
  }
}

/** What the last page of the unfiltered list costs, in first pages. */
async function compareEnds(db: Db, cases: readonly PageCase[]): Promise<number> {
  const first = cases.find(({ filter, position }) => Object.keys(filter).length === 0 && position === 'first')
  if (!first) throw new Error('The list has no first page.')
  // So near the end that a page is still full without the rows that the list leaves out.
  const last = { ...first, cursor: first.table.positionOf(3 * limit) }
  // In turn: a machine that is slow for a while is slow for both.
  const times = await repeat(ratioRuns, async () => ({
    first: (await explainPage(db, first, limit, planLimits)).executionMs,
    last: (await explainPage(db, last, limit, planLimits)).executionMs,
  }))
  return median(times.map((time) => time.last)) / median(times.map((time) => time.first))
}

async function repeat<Report>(times: number, run: () => Promise<Report>): Promise<Report[]> {
  const reports: Report[] = []
  for (let index = 0; index < times; index += 1) reports.push(await run())
  return reports
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  console.error(`--${name} must be a whole number from ${least}.`)
  process.exit(2)
}
