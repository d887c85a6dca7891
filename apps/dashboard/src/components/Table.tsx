import type { Key, ReactNode } from 'react'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** What the table is of, for those who cannot see it. */
  caption: string
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** The first column names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
}

/** For tens of rows, which become cards on a narrow screen. Thousands take a virtual list. */
export function Table<Row>({ caption, rows, rowKey, columns }: TableProps<Row>) {
  const [first, ...others] = columns
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            <th scope="row">{first.cell(row)}</th>
            {others.map(({ label, cell }) => (
              <td key={label} data-label={label}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
