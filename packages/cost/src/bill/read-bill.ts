import { UsageError } from '../errors.ts'
import { isObject, type Fields } from '../readers/shape.ts'
import { one } from './amount.ts'
import { readAnthropicCost, readAnthropicUsage } from './anthropic.ts'
import { readRows } from './csv.ts'
import type { Bill, Draft } from './lines.ts'
import { readOpenAiCost, readOpenAiUsage } from './openai.ts'

interface Form {
  readonly vendor: Bill['vendor']
  readonly form: Bill['form']
  /** Fields that prove the form: of a result, or of a row of the CSV. */
  readonly isOf: (row: Fields) => boolean
  readonly read: (draft: Draft, day: string, row: Fields) => void
}

const has = (row: Fields, name: string) => name in row
const forms: readonly Form[] = [
  {
    ...{ vendor: 'openai', form: 'costs', read: readOpenAiCost },
    isOf: (row) => has(row, 'amount_value') || row['object'] === 'organization.costs.result',
  },
  {
    ...{ vendor: 'openai', form: 'usage', read: readOpenAiUsage },
    isOf: (row) => has(row, 'num_model_requests') && has(row, 'input_tokens'),
  },
  {
    ...{ vendor: 'anthropic', form: 'usage', read: readAnthropicUsage },
    isOf: (row) => has(row, 'uncached_input_tokens') || has(row, 'usage_input_tokens_no_cache'),
  },
  {
    ...{ vendor: 'anthropic', form: 'costs', read: readAnthropicCost },
    isOf: (row) => has(row, 'cost_usd') || (has(row, 'amount') && has(row, 'currency')),
  },
]

/**
 * Reads what a vendor exports: pages of OpenAI's costs and usage APIs, of Anthropic's cost and usage reports, or the CSV of
 * their consoles. Several pages are a list, or a line each.
 * @throws UsageError where it is none of these, or is not all of it
 */
export function readBill(text: string): Bill {
  const rows = /^\s*[[{]/.test(text) ? resultsIn(text) : parseRows(text)
  const first = rows.find(({ row }) => row !== null)?.row
  if (first == null) throw new UsageError('The bill has no line.')
  const form = forms.find(({ isOf }) => isOf(first))
  if (form === undefined)
    throw new UsageError(
      `This is no bill that is known: ${Object.keys(first).slice(0, 8).join(', ')}. Known are OpenAI's costs and completions usage, and Anthropic's cost report and messages usage report, as pages of their APIs or as CSV.`,
    )
  const draft: Draft = {
    ...{ lines: [], days: new Set(), decimals: 0, unit: null, tiers: new Set() },
    ...{ length: false, region: false, requests: new Map(), unread: new Set() },
  }
  for (const { day, row, place } of rows) {
    draft.days.add(day)
    if (row === null) continue
    try {
      form.read(draft, day, row)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new UsageError(`${place}: ${error.message}`, { cause: error })
    }
  }
  return buildBill(form, draft)
}

function buildBill({ vendor, form }: Form, draft: Draft): Bill {
  const days = [...draft.days].sort()
  const { lines, tiers, length, region, requests, unread } = draft
  return {
    vendor,
    form,
    unit: form === 'usage' ? 'count' : (draft.unit ?? 'USD'),
    halfDigit: form === 'usage' ? 0n : one / (2n * 10n ** BigInt(Math.min(draft.decimals, 17))),
    ...{ firstDay: days[0]!, lastDay: days.at(-1)!, lines, requests, unread: [...unread].sort() },
    states: { lines: lines.some(({ meter }) => meter !== null), tiers, length, region },
  }
}

interface Row {
  readonly day: string
  /** Null: a day on which nothing was billed. */
  readonly row: Fields | null
  readonly place: string
}

function parseRows(text: string): Row[] {
  return readRows(text).map((row, index) => {
    const place = `Row ${index + 2}`
    const day = /^\d{4}-\d{2}-\d{2}/.exec(row['usage_date_utc'] ?? row['start_time_iso'] ?? '')
    const seconds = Number(row['start_time'] ?? NaN)
    if (day === null && Number.isNaN(seconds))
      throw new UsageError(`${place} says no day: "start_time", "start_time_iso" or "usage_date_utc".`)
    return { day: day === null ? toDay(seconds * 1_000) : day[0], row, place }
  })
}

function resultsIn(text: string): Row[] {
  const pages = documentsIn(text)
  const last = pages.at(-1)
  if (isObject(last) && last['has_more'] === true)
    throw new UsageError(
      'The last page says "has_more": fetch the pages after it ("next_page"), and give all of them.',
    )
  const buckets = pages.flatMap((page) =>
    isObject(page) && Array.isArray(page['data']) ? (page['data'] as unknown[]) : [page],
  )
  return buckets.flatMap((bucket, index): Row[] => {
    const place = `Bucket ${index + 1}`
    if (!isObject(bucket)) throw new UsageError(`${place} is no object.`)
    const [start, end] = [
      readMoment(bucket, 'start_time', 'starting_at'),
      readMoment(bucket, 'end_time', 'ending_at'),
    ]
    if (start === null) throw new UsageError(`${place} says no time: this is no page of a vendor's API.`)
    const day = toDay(start)
    if (end !== null && toDay(end - 1) !== day)
      throw new UsageError(`${place} is longer than a day of UTC: ask for bucket_width=1d.`)
    const results = bucket['results'] ?? bucket['result']
    if (!Array.isArray(results)) throw new UsageError(`${place} has no "results".`)
    if (results.length === 0) return [{ day, row: null, place }]
    return results.map((row: unknown) => {
      if (!isObject(row)) throw new UsageError(`${place} has a result that is no object.`)
      return { day, row, place: `${place} (${day})` }
    })
  })
}

function documentsIn(text: string): unknown[] {
  const parsed = (part: string, place: string): unknown => {
    try {
      return JSON.parse(part)
    } catch {
      throw new UsageError(`${place} is no JSON.`)
    }
  }
  try {
    const document = JSON.parse(text) as unknown
    return Array.isArray(document) ? (document as unknown[]) : [document]
  } catch {
    const lines = text
      .split('\n')
      .map((line, index) => [line.trim(), `Line ${index + 1} of the bill`] as const)
    return lines.filter(([line]) => line !== '').map(([line, place]) => parsed(line, place))
  }
}

function readMoment(bucket: Fields, seconds: string, instant: string): number | null {
  const value = bucket[seconds]
  if (typeof value === 'number') return value * 1_000
  const ms = Date.parse(String(bucket[instant]))
  return Number.isNaN(ms) ? null : ms
}

export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
