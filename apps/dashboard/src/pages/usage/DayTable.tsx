import { formatNumber } from '@ratecard/contract/wording'
import { utcDayText } from '../../components/time-words.ts'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Table, type Column } from '../../components/Table.tsx'
import { endpoints, type DaySums, type Sums } from './usage-sums.ts'

/** A column for each endpoint that was used, and the sums beside them: columns of zeros say nothing. */
export function listColumns(rows: readonly Sums[]): Column<Sums>[] {
  const used = endpoints.filter(({ id }) => rows.some((sums) => sums[id] > 0))
  const ofEndpoints = used.map(({ id, label }) => ({
    label,
    isNumber: true,
    cell: (sums: Sums) => formatNumber(sums[id]),
  }))
  return [
    ...(used.length > 1 ? ofEndpoints : []),
    ...(rows.some(({ packs }) => packs > 0)
      ? [{ label: 'Paid by packs', isNumber: true, cell: ({ packs }: Sums) => formatNumber(packs) }]
      : []),
    {
      label: used.length === 1 ? `${used[0]?.label}` : 'Total',
      isNumber: true,
      cell: ({ total }) => formatNumber(total),
    },
  ]
}

/** So many lines are no burden on a phone. */
const daysShown = 7

/** The chart's figures: the newest day first, days without a request left out. Older ones are a press away. */
export function DayTable({ days }: { days: readonly DaySums[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const used = days.filter(({ total }) => total > 0).toReversed()
  const rows = showsAll ? used : used.slice(0, daysShown)
  return (
    <>
      <Table
        dense
        caption="Requests per UTC day"
        rows={rows}
        rowKey={({ day }) => day}
        columns={[{ label: 'Day (UTC)', cell: ({ day }) => utcDayText(day) }, ...listColumns(used)]}
      />
      {rows.length < used.length && (
        <div className="row">
          <Button onClick={() => setShowsAll(true)}>Show all {formatNumber(used.length)} days</Button>
        </div>
      )}
    </>
  )
}
