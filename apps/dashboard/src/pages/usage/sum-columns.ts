import type { Column } from '../../components/Table.tsx'
import { endpoints, type Sums } from './usage-sums.ts'

/** A column per endpoint, and the sums beside them. */
export const sumColumns: Column<Sums>[] = [
  ...endpoints.map(({ id, label }) => ({
    label,
    isNumber: true,
    cell: (sums: Sums) => sums[id].toLocaleString(),
  })),
  { label: 'Paid by packs', isNumber: true, cell: ({ packs }) => packs.toLocaleString() },
  { label: 'Total', isNumber: true, cell: ({ total }) => total.toLocaleString() },
]
