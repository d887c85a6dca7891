import { Table } from '../../components/Table.tsx'
import { dayText, type DaySums } from './usage-sums.ts'
import { sumColumns } from './sum-columns.ts'

/** The chart's figures: the newest day first, days without a request left out. */
export function DayTable({ days }: { days: readonly DaySums[] }) {
  return (
    <Table
      dense
      caption="Requests per UTC day"
      rows={days.filter(({ total }) => total > 0).toReversed()}
      rowKey={({ day }) => day}
      columns={[{ label: 'Day (UTC)', cell: ({ day }) => dayText(day) }, ...sumColumns]}
    />
  )
}
