import { formatAmount, nameAmount } from '@ratecard/contract/wording'
import { findPlatform } from '../../catalog/catalogue.ts'
import { companyName, sourceName } from '@ratecard/contract/model-name'
import { isDecimalText } from '@ratecard/contract/decimal'
import type { PriceVersion } from '../../catalog/price-history.ts'
import { listMoves, type Move } from '../../features/changes/change-moves.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import type { AmountColumn } from '../../catalog/price-record.ts'
import { toDay } from '../../platform/day.ts'
import { html, nothing, type Html } from './html.ts'
import { day } from './words.ts'

/** What is known of one record over time. */
interface RecordHistory {
  /** The latest first, as the moves. */
  states: readonly PriceVersion[]
  moves: readonly DatedMove[]
  /** Until when a list was seen to have it. */
  endsMs: number
}

interface DatedMove extends Move {
  atMs: number
}

/** The price of one record over time: each amount from its beginning on. */
interface Line {
  name: string
  points: { atMs: number; usd: number }[]
  /** What stands before is as sources and published changes date it. */
  seenMs: number
  endsMs: number
}

interface Scale {
  x: (atMs: number) => number
  y: (usd: number) => number
  ends: number
}

const linesMax = 6
const labelHeight = 12
/** Moves that are nearer to each other are pointed at as one; the table has all. */
const bandWidthMin = 12
const [width, height, left, bottom, top] = [440, 190, 44, 24, 10]

/** The history of an amount across platforms, as steps. Nothing: no price of it has moved. */
export function historyChart(records: readonly RecordHistory[], column: AmountColumn, title: string): Html {
  const lines = mergeLines(records.flatMap((record) => buildLine(record, column) ?? []))
  const moved = lines.filter(({ points }) => points.some(({ usd }) => usd !== points[0]!.usd))
  if (moved.length === 0) return nothing
  const first = Math.min(...moved.map(({ points }) => points[0]!.atMs))
  // What never moved, and is known for a moment only, would be a dot.
  const isLong = ({ points, endsMs }: Line) => endsMs - points[0]!.atMs > (endsMs - first) / 10
  const unmoved = lines.filter((line) => !moved.includes(line) && isLong(line))
  const shown = [...moved, ...unmoved].slice(0, linesMax)
  const begins = Math.min(...shown.flatMap(({ points }) => points[0]!.atMs))
  const ends = Math.max(...shown.map(({ endsMs }) => endsMs))
  const most = niceCeiling(Math.max(...shown.flatMap(({ points }) => points.map(({ usd }) => usd))))
  const x = (atMs: number) => left + ((atMs - begins) / Math.max(1, ends - begins)) * (width - left - 8)
  const y = (usd: number) => height - bottom - (usd / most) * (height - bottom - top)
  const scale = { x, y, ends }
  const ticks = [0, most / 2, most]
  return html`<figure>
    <figcaption id="chart-${column}">${title}</figcaption>
    <ul class="legend">
      ${shown.map(({ name }, index) => html`<li class="s${index}"><span>${name}</span></li>`)}
    </ul>
    <svg class="chart" viewBox="0 0 ${width} ${height}" role="group" aria-labelledby="chart-${column}">
      ${ticks.map(
        (usd) =>
          html`<line class="grid" x1="${left}" x2="${width}" y1="${fixed(y(usd))}" y2="${fixed(y(usd))}" />
            <text x="${left - 8}" y="${fixed(y(usd) + 4)}" text-anchor="end">$${tickText(usd)}</text>`,
      )}
      ${shown.map((line, index) => drawLine(line, index, scale))} ${drawBands(shown, scale)}
      <text x="${left}" y="${height - 6}">${toDay(begins)}</text>
      <text x="${width}" y="${height - 6}" text-anchor="end">${toDay(ends)}</text>
    </svg>
  </figure>`
}

function buildLine({ states, moves, endsMs }: RecordHistory, column: AmountColumn): Line | null {
  const points: Line['points'] = []
  for (const { valid_from, currency, [column]: amount } of states) {
    const atMs = Date.parse(valid_from)
    if (amount === null || currency !== 'USD') continue
    // Of several states that claim a moment the one that was learned last counts.
    if (points[0] === undefined || atMs < points[0].atMs) points.unshift({ atMs, usd: Number(amount) })
  }
  const first = states[0]
  if (!first || points.length === 0) return null
  const seenMs = Date.parse(states.at(-1)!.known_from)
  for (const { atMs, field, before, after } of moves) {
    if (field !== column || atMs > points[0]!.atMs) continue
    points.unshift(...[before, after].filter(isAmount).map((amount) => ({ atMs, usd: Number(amount) })))
  }
  const platform = findPlatform(first)
  const region = first.region === null ? '' : ` (${first.region})`
  const name = companyName(platform) + region
  return { name, points, seenMs, endsMs: Math.max(endsMs, seenMs, points.at(-1)!.atMs) }
}

const isAmount = (text: string | null): boolean => text !== null && isDecimalText(text)

/** What published changes say of the days since which amounts hold, the latest first. */
export function listDatedMoves(changes: readonly StoredChange[]): DatedMove[] {
  return changes
    .filter(({ status, category }) => status !== 'withdrawn' && category !== 'correction')
    .flatMap((change) => {
      const atMs = Date.parse(change.effective_time ?? '')
      return Number.isNaN(atMs) ? [] : listMoves(change).map((move) => ({ ...move, atMs }))
    })
    .toSorted((a, b) => b.atMs - a.atMs)
}

/** Prices that are equal at every moment, and were seen until the same day, are one line: "OpenAI + 3". */
function mergeLines(lines: readonly Line[]): Line[] {
  const equal = Map.groupBy(lines, ({ points, endsMs }) => JSON.stringify([points, toDay(endsMs)]))
  return [...equal.values()].map((group) => {
    const names = [...new Set(group.map(({ name }) => name))]
    return { ...group[0]!, name: `${names[0]!}${names.length > 1 ? ` + ${names.length - 1}` : ''}` }
  })
}

/** Dashed as it is told of the time before, solid since the price was seen. */
function drawLine({ points, seenMs, endsMs }: Line, index: number, scale: Scale): Html {
  const told = points.filter(({ atMs }) => atMs < seenMs)
  const last = told.at(-1)
  const seen = [...(last ? [{ ...last, atMs: seenMs }] : []), ...points.slice(told.length)]
  const path = (name: string, d: string) => html`<path class="${name}" d="${d}" />`
  return html`${last && path(`s${index} told`, drawPath(told, seenMs, scale))}${path(`s${index}`, drawPath(seen, endsMs, scale))}`
}

function drawPath([first, ...others]: Line['points'], endsMs: number, { x, y }: Scale): string {
  const steps = others.map(({ atMs, usd }) => `H${fixed(x(atMs))}V${fixed(y(usd))}`)
  return `M${fixed(x(first!.atMs))} ${fixed(y(first!.usd))}${steps.join('')}H${fixed(x(endsMs))}`
}

/** From each move to the next: what was so then, for who points there or goes there by keyboard. */
function drawBands(lines: readonly Line[], { x, y, ends }: Scale): Html[] {
  const moves = lines.flatMap(({ points }) => points.map(({ atMs }) => atMs)).toSorted((a, b) => b - a)
  const begins: number[] = []
  for (const atMs of moves) if (x(begins[0] ?? Infinity) - x(atMs) >= bandWidthMin) begins.unshift(atMs)
  return begins.map((atMs, place) => {
    const from = x(atMs)
    const bandWidth = Math.max(bandWidthMin, x(begins[place + 1] ?? ends) - from)
    const isRight = from > width / 2
    const values = lines
      .flatMap(({ name, points, endsMs }, index) => {
        const usd = endsMs < atMs ? undefined : points.findLast((point) => point.atMs <= atMs)?.usd
        return usd === undefined ? [] : [{ index, usd, text: `${formatAmount(usd, 'USD')} ${name}` }]
      })
      .toSorted((a, b) => a.usd - b.usd)
    let lowest = height - bottom
    const labels = values.map(({ index, usd, text }, below) => {
      // None covers another, and none leaves the picture.
      const least = top + labelHeight * (values.length - below)
      lowest = Math.max(least, Math.min(y(usd) - 4, lowest - labelHeight))
      return html`<circle class="s${index}" cx="${fixed(from)}" cy="${fixed(y(usd))}" r="3" />
        <text x="${fixed(from + (isRight ? -7 : 7))}" y="${fixed(lowest)}">${text}</text>`
    })
    const said = values.map(({ text }) => text).join(', ')
    return html`<g
      class="at"
      tabindex="0"
      role="img"
      aria-label="Since ${toDay(atMs)}: ${said}"
      text-anchor="${isRight ? 'end' : 'start'}"
    >
      <rect x="${fixed(from)}" y="0" width="${fixed(bandWidth)}" height="${height - bottom}" />
      <g>
        ${labels}
        <text x="${fixed(from)}" y="${top}">${toDay(atMs)}</text>
      </g>
    </g>`
  })
}

/** The next of 1, 2, 5, 10, … that holds the value. */
function niceCeiling(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value * 0.999)!
}

const fixed = (value: number): string => value.toFixed(1)
const tickText = (usd: number): string => String(Number(usd.toPrecision(3)))

/** The same as text: every state that moved an amount. */
export function historyTable(versions: readonly PriceVersion[], columns: readonly AmountColumn[]): Html {
  const rows = versions.toSorted((a, b) => (a.valid_from < b.valid_from ? 1 : -1))
  return html`<div class="wide" role="region" aria-label="History" tabindex="0">
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Since</th>
          <th scope="col">Platform</th>
          ${columns.map((column) => html`<th scope="col" class="num">${nameAmount(column)}</th>`)}
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, historyRowsMax).map(
          (state) =>
            html`<tr>
              <th scope="row">
                ${day(state.valid_from)}${state.valid_from_by === 'first_seen' && html` <span class="badge">first seen</span>`}
              </th>
              <td>${companyName(findPlatform(state))} <span class="id">${state.resource_id}</span></td>
              ${columns.map(
                (column) =>
                  html`<td class="num" data-label="${nameAmount(column)}">
                    ${formatAmount(state[column], state.currency)}
                  </td>`,
              )}
              <td data-label="Source">${sourceName(state.source)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const historyRowsMax = 120
