import { formatNumber, language } from '@ratecard/contract/wording'
import { useState } from 'react'
import { utcDayText } from '../../components/time-words.ts'
import { chooseGrid, scaleTop } from './scale.ts'
import { endpoints, type DaySums } from './usage-sums.ts'
import './usage.css'

/** Days from one label to the next, and how many labels a phone has room for. */
const labelSteps = [1, 2, 3, 5, 7, 14, 30, 60, 90]
const labelsMax = 5

const compact = new Intl.NumberFormat(language, { notation: 'compact' })
const label = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Bars of a day each, stacked by endpoint. It is an image: the page that shows it adds a table of the figures. */
export function UsageChart({ days }: { days: readonly DaySums[] }) {
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  const pointed = days.find(({ day }) => day === pointedAt)
  const total = days.reduce((sum, day) => sum + day.total, 0)
  const top = scaleTop(Math.max(...days.map((day) => day.total)))
  const step = labelSteps.find((count) => days.length / count <= labelsMax) ?? days.length
  const share = (value: number) => `${(100 * value) / top}%`
  return (
    <figure className="usage-chart">
      <div
        className="chart-plot"
        role="img"
        aria-label={`Requests per UTC day, stacked by endpoint: ${formatNumber(total)} in all. The table has the figures.`}
        onPointerLeave={() => setPointedAt(null)}
      >
        {/* Without a request there is no scale: an axis would have invented figures. */}
        {(total === 0 ? [] : chooseGrid(top)).map((value) => (
          <span key={value} className="chart-line" style={{ bottom: share(value) }}>
            {compact.format(value)}
          </span>
        ))}
        {days.map((sums, index) => (
          <div key={sums.day} className="chart-bar" onPointerEnter={() => setPointedAt(sums.day)}>
            {endpoints.map(({ id }) => (
              <span key={id} data-endpoint={id} style={{ height: share(sums[id]) }} />
            ))}
            {(days.length - 1 - index) % step === 0 && (
              <span className="chart-label">{label.format(new Date(sums.day))}</span>
            )}
          </div>
        ))}
      </div>
      <figcaption>
        <ul className="legend" aria-hidden="true">
          {endpoints.map(({ id, label }) => (
            <li key={id} data-endpoint={id}>
              {label}
              {pointed && ` ${formatNumber(pointed[id])}`}
            </li>
          ))}
          {pointed ? (
            <li>
              <strong>{formatNumber(pointed.total)} in all</strong>{' '}
              <span className="soft">on {utcDayText(pointed.day)} (UTC)</span>
            </li>
          ) : (
            total === 0 && <li className="soft">No request in these days.</li>
          )}
        </ul>
      </figcaption>
    </figure>
  )
}
