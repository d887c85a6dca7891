import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { language } from '../../components/language.ts'
import { useMatches } from '../../components/use-matches.ts'
import { recordAt, type Columns, type RowIndexes, type Sort, type SortColumn } from './price-index.ts'
import { amountText, otherPrices } from './words.ts'

interface GridColumn {
  key: SortColumn
  label: string
  unit?: string
}

const gridColumns: readonly GridColumn[] = [
  { key: 'record', label: 'Record' },
  { key: 'vendor', label: 'Vendor' },
  { key: 'platform', label: 'Platform' },
  { key: 'modality', label: 'Modality' },
  { key: 'input', label: 'Input', unit: '/ 1M tokens' },
  { key: 'output', label: 'Output', unit: '/ 1M tokens' },
  { key: 'cached', label: 'Cached', unit: '/ 1M tokens' },
  { key: 'other', label: 'Other' },
  { key: 'updated', label: 'Moved' },
]

// Heights in rem, the same as in prices.css.
const rowRem = 3.25
const cardRem = 7.5
const headRem = 3.25
// Rows beyond the visible ones: a flick of the wheel reaches them.
const overscan = 8
const narrow = matchMedia('(max-width: 40rem)')

export interface PriceGridProps {
  /** Identifies filter and order. When it changes, the list scrolls to its top. */
  shows: string
  columns: Columns
  rowIndexes: RowIndexes
  /** Null: the rows are in the order of no column. */
  sort: Sort | null
  onSort: (column: SortColumn) => void
  onOpen: (resourceId: string) => void
}

/**
 * A table of thousands of rows that renders the visible ones only. On a narrow screen a row is a card. All rows
 * together are one stop of the Tab key; arrows move from row to row.
 */
export function PriceGrid({ shows, columns, rowIndexes, sort, onSort, onOpen }: PriceGridProps) {
  const box = useRef<HTMLDivElement>(null)
  const aboutId = useId()
  const isNarrow = useMatches(narrow)
  const [rem] = useState(remPixels)
  const rowHeight = (isNarrow ? cardRem : rowRem) * rem
  const [stop, setStop] = useState({ shows, row: 0 })
  const stopRow = stop.shows === shows ? Math.min(stop.row, rowIndexes.length - 1) : 0
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is compiled by the React Compiler
  const rows = useVirtualizer({
    count: rowIndexes.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollPaddingEnd: headRem * rem,
    // The focused row stays rendered while the user scrolls away from it.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), stopRow])].sort((a, b) => a - b),
  })
  // The screen was rotated.
  useLayoutEffect(() => rows.measure(), [rows, rowHeight])
  useLayoutEffect(() => {
    box.current?.scrollTo({ top: 0 })
  }, [shows])

  const go = (event: KeyboardEvent) => {
    const inSight = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2)
    const next = rowAfter(event.key, { row: stopRow, last: rowIndexes.length - 1, inSight })
    if (next === null) return
    event.preventDefault()
    flushSync(() => setStop({ shows, row: next }))
    rows.scrollToIndex(next)
    box.current?.querySelector<HTMLElement>(`[data-row="${next}"] button`)?.focus({ preventScroll: true })
  }
  return (
    <div ref={box} className="price-box">
      <p id={aboutId} className="visually-hidden">
        Arrow keys go from record to record; Enter opens one.
      </p>
      <div
        role="table"
        aria-label="Price records"
        aria-describedby={aboutId}
        aria-rowcount={rowIndexes.length + 1}
        className="price-grid"
      >
        <div role="rowgroup" className="price-head">
          <div role="row" aria-rowindex={1} className="price-row">
            {gridColumns.map((column) => (
              <SortHeader key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className="price-body" style={{ height: rows.getTotalSize() }} onKeyDown={go}>
          {rows.getVirtualItems().map(({ key, index, start }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              data-row={index}
              className="price-row"
              style={{ transform: `translateY(${start}px)` }}
              onFocus={() => setStop({ shows, row: index })}
            >
              <PriceCells
                columns={columns}
                rowIndex={rowIndexes[index]!}
                isStop={index === stopRow}
                onOpen={onOpen}
              />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

/** The row that a key moves to; null: the key does not move. */
function rowAfter(
  key: string,
  { row, last, inSight }: { row: number; last: number; inSight: number },
): number | null {
  const targets: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + inSight,
    PageUp: row - inSight,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? null : Math.max(0, Math.min(target, last))
}

interface SortHeaderProps {
  column: GridColumn
  /** Null: the rows are in the order of no column. */
  sort: Sort | null
  onSort: (column: SortColumn) => void
}

function SortHeader({ column: { key, label, unit }, sort, onSort }: SortHeaderProps) {
  const direction = sort?.isDescending ? 'descending' : 'ascending'
  const isSorted = sort?.column === key
  return (
    <div role="columnheader" aria-sort={isSorted ? direction : 'none'} className={`price-${key}`}>
      <button type="button" className="sort" onClick={() => onSort(key)}>
        {label}
        {isSorted && <span aria-hidden="true"> {sort.isDescending ? '↓' : '↑'}</span>}
        {unit && <span className="hint">{unit}</span>}
      </button>
    </div>
  )
}

interface PriceCellsProps {
  columns: Columns
  rowIndex: number
  /** Whether Tab stops here. */
  isStop: boolean
  onOpen: (resourceId: string) => void
}

const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })

/** Rendered once, however often its row moves. */
const PriceCells = memo(
  function PriceCells({ columns, rowIndex, isStop, onOpen }: PriceCellsProps) {
    const record = recordAt(columns, rowIndex)
    const { resource_id: id, currency, updated_at: updatedAt } = record
    return (
      <>
        <div role="rowheader" className="price-record">
          <button
            type="button"
            className="link mono"
            tabIndex={isStop ? 0 : -1}
            onClick={() => onOpen(id)}
            title={id}
          >
            {id}
          </button>
          <span className="hint">{record.product_id ?? 'no product'}</span>
        </div>
        <Cell of="vendor" text={record.vendor} />
        <Cell of="platform" text={record.platform ?? ''} />
        <Cell of="modality" text={record.modality ?? ''} />
        <Cell of="input" text={amountText(record.input_per_mtok, currency)} />
        <Cell of="output" text={amountText(record.output_per_mtok, currency)} />
        <Cell of="cached" text={amountText(record.cached_input_per_mtok, currency)} />
        <Cell of="other" text={otherPrices(record)} />
        <div role="cell" className="price-updated">
          {record.versions > 1 ? (
            <>
              <time dateTime={updatedAt} title={`${updatedAt.slice(0, 16).replace('T', ' ')} UTC`}>
                {day.format(new Date(updatedAt))}
              </time>
              <span className="hint">{record.versions} versions</span>
            </>
          ) : (
            <span title="It has not moved since it was first served.">–</span>
          )}
        </div>
      </>
    )
  },
  (a, b) => a.columns === b.columns && a.rowIndex === b.rowIndex && a.isStop === b.isStop,
)

function Cell({ of, text }: { of: SortColumn; text: string }) {
  return (
    <div role="cell" className={`price-${of}`} title={text}>
      {text}
    </div>
  )
}

/** Larger where the user's browser is set to a larger text size. */
function remPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
