import { lazy, Suspense } from 'react'
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx'
import type { DaySums } from './usage-sums.ts'
import './usage.css'

const UsageChart = lazy(async () => ({ default: (await import('./UsageChart.tsx')).UsageChart }))

/** The chart, whose library is fetched only now. Its room is reserved: nothing moves when the chart appears. */
export function LazyUsageChart({ days }: { days: readonly DaySums[] }) {
  return (
    <div className="usage-chart-place">
      <ErrorBoundary
        fallback={() => <p className="soft">The chart cannot be drawn here. The table says the same.</p>}
      >
        <Suspense fallback={null}>
          <UsageChart days={days} />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
