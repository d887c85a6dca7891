import { formatNumber, formatPercent } from '@ratecard/contract/wording'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { live } from '../../api/live.ts'
import { askData } from '../../api/queries.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Loaded } from '../../components/states.tsx'
import { DayTable } from '../usage/DayTable.tsx'
import { UsageChart } from '../usage/UsageChart.tsx'
import { addDays, sumsByDay, sumWeeks, type DaySums } from '../usage/usage-sums.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { Failures } from './Failures.tsx'
import { Packs } from './Packs.tsx'
import { Today } from './Today.tsx'
import { Watched } from './Watched.tsx'
import './overview.css'

const chartDays = 30

export default function OverviewPage() {
  return (
    <>
      <PageHeader title="Overview" />
      <Loaded of={useQuery({ ...askData('GET /overview'), ...live })} rows={10}>
        {(data) => <Sections of={data} />}
      </Loaded>
    </>
  )
}

/** The last week of full days, beside the one before it. */
function Week({ days }: { days: readonly DaySums[] }) {
  const { last, before } = sumWeeks(days)
  if (last === 0 && before === 0) return null
  return (
    <p>
      <strong>{formatNumber(last)}</strong> in the last 7 full days
      {before > 0 && (
        <span className="soft">, {formatPercent(100 * (last / before - 1))} vs. the previous 7</span>
      )}
    </p>
  )
}

function Sections({ of: overview }: { of: Schemas['Overview'] }) {
  const days = sumsByDay(overview.days, addDays(overview.day, 1 - chartDays), overview.day)
  return (
    <div className="panels">
      {overview.first_steps && <FirstSteps steps={overview.first_steps} />}
      <Today of={overview} />
      <Packs packs={overview.packs} isSold={overview.sells_packs} />
      <Watched />
      <section className="panel wide" aria-labelledby="last-30-days">
        <header className="between">
          <h2 id="last-30-days">Last 30 days</h2>
          <Link href="/usage">By key and endpoint</Link>
        </header>
        {overview.days.length === 0 ? (
          <p className="soft">No requests yet. They will appear here.</p>
        ) : (
          <>
            <Week days={days} />
            <UsageChart days={days} />
            <details className="fold">
              <summary>Show as table</summary>
              <DayTable days={days} />
            </details>
          </>
        )}
      </section>
      <Failures failures={overview.failures} />
    </div>
  )
}
