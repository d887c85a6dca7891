import type { PageCase } from '../../apps/server/test/page-queries/cases.ts'
import type { Filter } from '../../apps/server/test/page-queries/table.ts'
import type { Figure } from './figures.ts'

export interface Result {
  table: string
  filter: Filter
  match: PageCase['match']
  position: PageCase['position']
  rows: number
  executionMs: number
  planningMs: number
  plan: string
  /** Limits that this page breaks. */
  faults: string[]
}

export interface Report {
  rows: number
  limit: number
  executionLimitMs: number
  ratioLimit: number
  loadSeconds: Record<string, number>
  /** Cost of the last page in first pages, unfiltered, per list. */
  ratios: Record<string, number>
  results: Result[]
}

const shownSlowest = 20

export function printReport(report: Report, { json }: { json: boolean }): void {
  const results = report.results.toSorted((one, other) => other.executionMs - one.executionMs)
  const faulty = results.filter(({ faults }) => faults.length > 0)
  const slowest = results.slice(0, shownSlowest)
  if (json) {
    const figures = figuresOf(report)
    console.log(
      JSON.stringify({ ...report, results: undefined, checked: results.length, figures, slowest, faulty }),
    )
    return
  }

  console.log(`The ${slowest.length} slowest pages of ${report.limit} rows in the database (medians, ms)\n`)
  printResults(slowest)
  for (const table of new Set(results.map((result) => result.table))) {
    const own = results.filter((result) => result.table === table)
    const executions = own.map(({ executionMs }) => executionMs)
    const plannings = own.map(({ planningMs }) => planningMs).toSorted((one, other) => one - other)
    console.log(
      `\n${table}: ${report.rows} rows loaded in ${report.loadSeconds[table]} s, ${own.length} pages checked; ` +
        `execution median ${percentile(executions.toReversed(), 0.5)}, p99 ${percentile(executions.toReversed(), 0.99)}, ` +
        `max ${percentile(executions.toReversed(), 1)} ms; ` +
        `planning median ${percentile(plannings, 0.5)}, max ${percentile(plannings, 1)} ms; ` +
        `last page / first page ${report.ratios[table]?.toFixed(2)}`,
    )
  }
  console.log(
    `\nLimits: ${report.executionLimitMs} ms a page, last page / first page ${report.ratioLimit}, no sequential scan, ` +
      `no large sort, no large bitmap, the right number of rows.`,
  )
  if (faulty.length === 0) console.log('All hold.')
  else {
    console.log(`${faulty.length} pages break them:\n`)
    printResults(faulty)
  }
}

/** The report in few words, to stand beside the figures of other benchmarks. */
function figuresOf({ results, ratios, ratioLimit, executionLimitMs }: Report): Figure[] {
  const faulty = results.filter(({ faults }) => faults.length > 0).length
  return [
    {
      name: `slowest of ${results.length} pages in the database`,
      value: Math.max(...results.map(({ executionMs }) => executionMs)),
      unit: 'ms',
      aim: { most: executionLimitMs },
    },
    { name: 'pages that break a limit', value: faulty, unit: 'pages', aim: { most: 0 } },
    ...Object.entries(ratios).map(([list, value]) => ({
      name: `${list}: last page against first page, in the database`,
      value,
      unit: 'times',
      aim: { most: ratioLimit },
    })),
  ]
}

function printResults(results: readonly Result[]): void {
  const lines = results.map((result) => [
    result.executionMs.toFixed(2),
    result.planningMs.toFixed(2),
    String(result.rows),
    result.table,
    `${result.match}, ${result.position}`,
    Object.entries(result.filter)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    [result.plan, ...result.faults.map((fault) => `!! ${fault}`)].join(' '),
  ])
  const header = ['run', 'plan', 'rows', 'list', 'match, page', 'filter', 'how']
  const table = [header, ...lines]
  const widths = header.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  for (const line of table) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    console.log(cells.join('  ').trimEnd())
  }
}

function percentile(ascending: readonly number[], share: number): string {
  const index = Math.min(ascending.length - 1, Math.floor(ascending.length * share))
  return (ascending[index] ?? NaN).toFixed(2)
}
