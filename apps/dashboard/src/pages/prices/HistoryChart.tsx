import { formatAmount, formatAmountUnit, nameAmount } from '@ratecard/contract/wording'
import { useState } from 'react'
import { utcDayText } from '../../components/time-words.ts'
import type { Schemas } from '../../../contract/index.ts'
import { amountAt, historyLines, niceCeiling, spread, type Line } from './history-lines.ts'

const [width, height, left, bottom, top, right] = [640, 200, 56, 26, 10, 76]
/** Labels at the ends of lines stand at least so far apart. */
const labelPx = 13

interface HistoryChartProps {
  versions: readonly Schemas['PriceVersion'][]
  /** Since when no source has the record: its lines end there. */
  goneSince: string | null
}

/**
 * Amounts as steps, in the colours of the page; pointing at a day tells its amounts, and pressing a name shows its line
 * alone. It is an image: the table below it has the figures.
 */
export function HistoryChart({ versions, goneSince }: HistoryChartProps) {
  const [nowMs] = useState(() => Date.now())
  const [alone, setAlone] = useState<Line['field'] | null>(null)
  const [pointedMs, setPointedMs] = useState<number | null>(null)
  const all = historyLines(versions)
  const lines = all.filter(({ field }) => alone === null || field === alone)
  const [first] = all
  if (!first) return <p className="soft">No amount has moved; what did is in the table.</p>
  const moments = all.flatMap(({ points }) => points.map(({ atMs }) => atMs))
  const begins = Math.min(...moments)
  const ends = Math.max(nowMs, ...moments)
  const knownUntil = goneSince === null ? ends : Math.max(Date.parse(goneSince), begins)
  const most = niceCeiling(Math.max(...lines.flatMap(({ points }) => points.map(({ amount }) => amount))))
  const msPerPx = Math.max(1, ends - begins) / (width - left - right)
  const x = (atMs: number) => left + (atMs - begins) / msPerPx
  const y = (amount: number) => height - bottom - (amount / most) * (height - bottom - top)
  const currency = versions[0]?.currency ?? null
  const labelYs = spread(
    lines.map(({ points }) => y(points.at(-1)!.amount)),
    labelPx,
  )
  const shownMs = pointedMs === null ? null : Math.min(ends, Math.max(begins, pointedMs))
  return (
    <figure className="history-chart">
      <figcaption>
        <ul className="row">
          {all.map(({ field }) => (
            <li key={field} data-line={field}>
              <button
                type="button"
                aria-pressed={alone === field}
                onClick={() => setAlone(alone === field ? null : field)}
              >
                {nameAmount(field)}
              </button>
            </li>
          ))}
          <li className="hint">{formatAmountUnit(first.field)}</li>
        </ul>
        <p className="hint" aria-hidden="true">
          {shownMs === null
            ? 'Point at the chart to read a day.'
            : `${utcDayText(shownMs)}: ${shownMs > knownUntil ? 'no source' : amountsAt(lines, shownMs, currency)}`}
        </p>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={altText(lines, currency)}
        onPointerMove={({ clientX, currentTarget }) => {
          const box = currentTarget.getBoundingClientRect()
          setPointedMs(begins + (((clientX - box.left) * width) / box.width - left) * msPerPx)
        }}
        onPointerLeave={() => setPointedMs(null)}
      >
        {[0, most / 2, most].map((amount) => (
          <g key={amount}>
            <line className="grid" x1={left} x2={width - right} y1={y(amount)} y2={y(amount)} />
            <text x={left - 8} y={y(amount) + 4} textAnchor="end">
              {amount === 0 ? '0' : formatAmount(Number(amount.toPrecision(3)), currency)}
            </text>
          </g>
        ))}
        {shownMs !== null && (
          <line className="pointed" x1={x(shownMs)} x2={x(shownMs)} y1={top} y2={height - bottom} />
        )}
        {lines.map((line, index) => (
          <g key={line.field} data-line={line.field}>
            <path d={drawPath(line, x, y, knownUntil)} />
            <text className="line-end" x={x(knownUntil) + 6} y={labelYs[index]! + 4}>
              {formatAmount(line.points.at(-1)!.amount, currency)}
            </text>
          </g>
        ))}
        <text x={left} y={height - 6}>
          {utcDayText(begins)}
        </text>
        <text x={width - right} y={height - 6} textAnchor="end">
          {utcDayText(ends)}
        </text>
      </svg>
    </figure>
  )
}

function drawPath(
  { points }: Line,
  x: (atMs: number) => number,
  y: (amount: number) => number,
  ends: number,
): string {
  const [first, ...others] = points
  const at = (value: number) => value.toFixed(1)
  const steps = others.map(({ atMs, amount }) => `H${at(x(atMs))}V${at(y(amount))}`)
  return `M${at(x(first!.atMs))} ${at(y(first!.amount))}${steps.join('')}H${at(x(ends))}`
}

/** "Input $0.15, Output $0.60": what held at a moment. */
function amountsAt(lines: readonly Line[], atMs: number, currency: string | null): string {
  return lines
    .map((line) => `${nameAmount(line.field)} ${formatAmount(amountAt(line, atMs), currency)}`)
    .join(', ')
}

/** "Input from $0.15 to $0.20" */
function altText(lines: readonly Line[], currency: string | null): string {
  const texts = lines.map(({ field, points }) => {
    const [first, last] = [points[0]!.amount, points.at(-1)!.amount]
    return `${nameAmount(field)} from ${formatAmount(first, currency)} to ${formatAmount(last, currency)}`
  })
  return `${texts.join('; ')}. The table has every state.`
}
