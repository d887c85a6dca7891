import { useRef, type Key, type ReactNode } from 'react'
import { TimeForm } from './Time.tsx'
import { useIsNarrow } from './use-matches.ts'

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
  /** Sets some rows off from the others, such as what holds now. */
  rowMark?: (row: Row) => string | undefined
  /** Whether cells are short figures: on a narrow screen the figures of a row share a line. */
  dense?: boolean
}

/** What tables of a few columns need, and tables of more. */
const widthRem = { few: 34, many: 52 }
const fewColumns = 3

/** For tens of rows, which become cards where the screen is narrow. Thousands of rows need a virtual list. */
export function Table<Row>({ caption, rows, rowKey, columns, rowMark, dense = false }: TableProps<Row>) {
  const [first, ...others] = columns
  const ref = useRef<HTMLTableElement>(null)
  const isCards = useIsNarrow(ref, columns.length > fewColumns ? widthRem.many : widthRem.few)
  return (
    <TimeForm value="relative">
      <table ref={ref} className="table" data-dense={dense} data-cards={isCards}>
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
            <tr key={rowKey(row)} data-mark={rowMark?.(row)}>
              <th scope="row">{first.cell(row)}</th>
              {others.map(({ label, cell, isNumber }) => (
                <td key={label} data-label={label} className={isNumber ? 'number' : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TimeForm>
  )
}
