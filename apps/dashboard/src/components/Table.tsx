import type { Key, ReactNode } from 'react'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** Figures are aligned at their last digit. */
  isNumber?: boolean
}

export interface TableProps<Row> {
  /** The caption for screen readers. */
  caption: string
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** The first column names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  /** Whether cells are short figures: on a narrow screen the figures of a row share a line. */
  dense?: boolean
}

/** For tens of rows, which become cards on a narrow screen. Thousands of rows need a virtual list. */
export function Table<Row>({ caption, rows, rowKey, columns, dense = false }: TableProps<Row>) {
  const [first, ...others] = columns
  return (
    <table className="table" data-dense={dense}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, isNumber }) => (
            <th key={label} scope="col" className={isNumber ? 'number' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            <th scope="row">{first.cell(row)}</th>
            {others.map(({ label, cell, isNumber }) => (
              <td key={label} data-label={label} className={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
