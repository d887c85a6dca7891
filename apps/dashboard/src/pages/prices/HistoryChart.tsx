import { formatAmount, formatAmountUnit, nameAmount } from '@ratecard/contract/wording'
import { useState } from 'react'
import { utcDayText } from '../../components/time-words.ts'
import type { Schemas } from '../../../contract/index.ts'
import { historyLines, niceCeiling, type Line } from './history-lines.ts'

const [width, height, left, bottom, top, right] = [640, 200, 56, 26, 10, 8]

/** Amounts as steps, in the colours of the page. It is an image: the table below it has the figures. */
export function HistoryChart({ versions }: { versions: readonly Schemas['PriceVersion'][] }) {
  const [nowMs] = useState(() => Date.now())
  const lines = historyLines(versions)
  const [first] = lines
  if (!first) return <p className="soft">No amount has moved; what did is in the table.</p>
  const moments = lines.flatMap(({ points }) => points.map(({ atMs }) => atMs))
  const begins = Math.min(...moments)
  const ends = Math.max(nowMs, ...moments)
  const most = niceCeiling(Math.max(...lines.flatMap(({ points }) => points.map(({ amount }) => amount))))
  const x = (atMs: number) => left + ((atMs - begins) / Math.max(1, ends - begins)) * (width - left - right)
  const y = (amount: number) => height - bottom - (amount / most) * (height - bottom - top)
  const currency = versions[0]?.currency ?? null
  return (
    <figure className="history-chart">
      <figcaption>
        <ul className="row">
          {lines.map(({ field }) => (
            <li key={field} data-line={field}>
              {nameAmount(field)}
            </li>
          ))}
          <li className="hint">{formatAmountUnit(first.field)}</li>
        </ul>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={altText(lines, currency)}>
        {[0, most / 2, most].map((amount) => (
          <g key={amount}>
            <line className="grid" x1={left} x2={width - right} y1={y(amount)} y2={y(amount)} />
            <text x={left - 8} y={y(amount) + 4} textAnchor="end">
              {amount === 0 ? '0' : formatAmount(Number(amount.toPrecision(3)), currency)}
            </text>
          </g>
        ))}
        {lines.map((line) => (
          <path key={line.field} data-line={line.field} d={drawPath(line, x, y, ends)} />
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

/** "Input from $0.15 to $0.20" */
function altText(lines: readonly Line[], currency: string | null): string {
  const texts = lines.map(({ field, points }) => {
    const [first, last] = [points[0]!.amount, points.at(-1)!.amount]
    return `${nameAmount(field)} from ${formatAmount(first, currency)} to ${formatAmount(last, currency)}`
  })
  return `${texts.join('; ')}. The table has every state.`
}
