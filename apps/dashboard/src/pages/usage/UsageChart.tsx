import { formatNumber, language } from '@ratecard/contract/wording'
import { utcDayText } from '../../components/time-words.ts'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../../theme.ts'
import { chooseGrid, scaleTop } from './scale.ts'
import { endpoints, type DaySums } from './usage-sums.ts'

const heightPx = 220
const secondsPerDay = 86_400
const barShare = 0.7
const barWidthMaxPx = 40

/** Bars of a day each, stacked by endpoint. It is an image: the page that shows it adds a table of the figures. */
export function UsageChart({ days }: { days: readonly DaySums[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const [pointedAt, setPointedAt] = useState<number | null>(null)
  const isDark = useIsDark()
  const total = days.reduce((sum, day) => sum + day.total, 0)
  // Without a request there is no scale: an axis would have invented figures.
  const isEmpty = total === 0

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const plot = new uPlot(options(element, { isEmpty, onPoint: setPointedAt }), [[], [], [], []], element)
    chart.current = plot
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      plot.destroy()
      chart.current = null
    }
    // Drawn again in the colours of the other scheme.
  }, [isDark, isEmpty])

  useEffect(() => {
    chart.current?.setData(stacked(days))
  }, [days, isDark, isEmpty])

  const pointed = pointedAt === null ? undefined : days[pointedAt]
  return (
    <figure className="usage-chart">
      <div
        ref={frame}
        role="img"
        aria-label={`Requests per UTC day, stacked by endpoint: ${formatNumber(total)} in all. The table has the figures.`}
      />
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

/** The lowest endpoint is drawn last, over the sums that contain it. */
const layers = endpoints.map((_, index) => endpoints.slice(0, endpoints.length - index))

function stacked(days: readonly DaySums[]): uPlot.AlignedData {
  return [
    days.map(({ day }) => Date.parse(day) / 1_000),
    ...layers.map((layer) => days.map((sums) => layer.reduce((sum, { id }) => sum + sums[id], 0))),
  ] as uPlot.AlignedData
}

interface ChartOptions {
  isEmpty: boolean
  onPoint: (index: number | null) => void
}

function options(element: HTMLElement, { isEmpty, onPoint }: ChartOptions): uPlot.Options {
  const [soft, line] = [readColour(element, '--soft'), readColour(element, '--line')]
  const axis: uPlot.Axis = {
    stroke: soft,
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  const bars = uPlot.paths.bars?.({ size: [barShare, barWidthMaxPx] })
  const label = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return {
    width: element.clientWidth,
    height: heightPx,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: {
      // Room for half a bar at both ends.
      x: { range: (_plot, min, max) => [min - secondsPerDay / 2, max + secondsPerDay / 2] },
      // Up to a line of the grid, above the highest bar.
      y: { range: (_plot, _min, max) => [0, scaleTop(max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        gap: 8,
        incrs: [1, 2, 3, 5, 7, 14, 30, 60].map((days) => days * secondsPerDay),
        space: 64,
        values: (_plot, splits) => splits.map((seconds) => label.format(seconds * 1_000)),
      },
      {
        ...axis,
        show: !isEmpty,
        splits: (_plot, _axis, _min, max) => chooseGrid(max),
        values: (_plot, splits) => splits.map((value) => compact.format(value)),
      },
    ],
    series: [
      {},
      ...layers.map((layer): uPlot.Series => {
        const colour = readColour(element, `--chart-${layer.at(-1)?.id}`)
        return { fill: colour, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
      }),
    ],
  }
}

const compact = new Intl.NumberFormat(language, { notation: 'compact' })

/** The value of a custom property in the present scheme: a canvas knows no custom properties. */
function readColour(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
