import { Table, type Column } from '../../components/Table.tsx'
import { countText } from '../../components/language.ts'
import { dayText, endpoints, type DaySums, type Sums } from './usage-sums.ts'

/** A column per endpoint, and the sums beside them. */
export const sumColumns: Column<Sums>[] = [
  ...endpoints.map(({ id, label }) => ({
    label,
    isNumber: true,
    cell: (sums: Sums) => countText(sums[id]),
  })),
  { label: 'Paid by packs', isNumber: true, cell: ({ packs }) => countText(packs) },
  { label: 'Total', isNumber: true, cell: ({ total }) => countText(total) },
]

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
