import type { PageCase } from '../../apps/server/test/page-queries/cases.ts'
import { formatText, isMissed, type Figure } from './figures.ts'
import { percentile } from './statistics.ts'

export const executionLimitMs = 10
const ratioLimit = 1.5

export interface Result extends Pick<PageCase, 'filter' | 'match' | 'position'> {
  table: string
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
  loadSeconds: Record<string, number>
  /** Cost of the last page in first pages, unfiltered, per list. */
  ratios: Record<string, number>
  results: Result[]
}

const shownSlowest = 20

/** Fails the run when a limit is broken. */
export function printReport(report: Report, asJson: boolean): void {
  const results = report.results.toSorted((one, other) => other.executionMs - one.executionMs)
  const faulty = results.filter(({ faults }) => faults.length > 0)
  const slowest = results.slice(0, shownSlowest)
  const figures = figuresOf(report, faulty.length)
  if (figures.some(isMissed)) process.exitCode = 1
  if (asJson) {
    const { results: checked, ...rest } = report
    console.log(
      JSON.stringify({
        ...rest,
        executionLimitMs,
        ratioLimit,
        checked: checked.length,
        figures,
        slowest,
        faulty,
      }),
    )
    return
  }

  const title = `The ${slowest.length} slowest pages of ${report.limit} rows in the database (medians, ms)`
  console.log(tableOf(title, slowest))
  for (const table of new Set(results.map((result) => result.table))) {
    const own = results.filter((result) => result.table === table)
    const share = (of: 'executionMs' | 'planningMs', part: number) => {
      const times = own.map((result) => result[of])
      return percentile(times, part).toFixed(2)
    }
    console.log(
      `\n${table}: ${report.rows} rows loaded in ${report.loadSeconds[table]} s, ${own.length} pages checked; ` +
        `execution median ${share('executionMs', 0.5)}, p99 ${share('executionMs', 0.99)}, ` +
        `max ${share('executionMs', 1)} ms; ` +
        `planning median ${share('planningMs', 0.5)}, max ${share('planningMs', 1)} ms; ` +
        `last page / first page ${report.ratios[table]?.toFixed(2)}`,
    )
  }
  console.log(
    `\nLimits: ${executionLimitMs} ms a page, last page / first page ${ratioLimit}, no sequential scan, ` +
      `no large sort, no large bitmap, the right number of rows.`,
  )
  console.log(faulty.length === 0 ? 'All hold.' : tableOf(`${faulty.length} pages break them:`, faulty))
}

/** The report in few words, to stand beside the figures of other benchmarks. */
function figuresOf({ results, ratios }: Report, faulty: number): Figure[] {
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

function tableOf(title: string, results: readonly Result[]): string {
  const head = ['run', 'plan', 'rows', 'list', 'match, page', 'filter', 'how']
  const rows = results.map((result) => [
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
  return formatText({ title, head, rows, textColumns: head.length })
}
