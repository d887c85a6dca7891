import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useMatches } from '../../components/use-matches.ts'
import { PriceCells } from './PriceCells.tsx'
import type { Columns, RowIndexes, Sort, SortColumn } from './price-index.ts'
import { selectionMax, useSelection } from './selection.ts'

interface GridColumn {
  key: SortColumn
  label: string
  unit?: string
}

const gridColumns: readonly GridColumn[] = [
  { key: 'name', label: 'Model' },
  { key: 'platform', label: 'Platform' },
  { key: 'modality', label: 'Kind' },
  { key: 'input', label: 'Input', unit: '$ / 1M tokens' },
  { key: 'output', label: 'Output', unit: '$ / 1M tokens' },
  { key: 'cached', label: 'Cached', unit: '$ / 1M tokens' },
  { key: 'updated', label: 'Moved' },
]

// Heights in rem, the same as in prices.css.
const rowRem = 3.5
const cardRem = 7.25
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
 * A table of thousands of rows that renders the visible ones only, and scrolls with the page. On a narrow screen a row is
 * a card. All rows together are one stop of the Tab key, and a second one of the box beside it; arrows move from row
 * to row.
 */
export function PriceGrid({ shows, columns, rowIndexes, sort, onSort, onOpen }: PriceGridProps) {
  const body = useRef<HTMLDivElement>(null)
  const aboutId = useId()
  const isNarrow = useMatches(narrow)
  const selection = useSelection()
  const [rem] = useState(remPixels)
  const rowHeight = (isNarrow ? cardRem : rowRem) * rem
  const headHeight = isNarrow ? 0 : headRem * rem
  const scrollMargin = useOffset(body)
  const [stop, setStop] = useState({ shows, row: 0 })
  const stopRow = stop.shows === shows ? Math.min(stop.row, rowIndexes.length - 1) : 0
  const rows = useWindowVirtualizer({
    count: rowIndexes.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin,
    scrollPaddingStart: headHeight,
    // The focused row stays rendered while the user scrolls away from it.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), stopRow])].sort((a, b) => a - b),
  })
  // The screen was rotated.
  useLayoutEffect(() => rows.measure(), [rows, rowHeight])
  useTopOf(shows, Math.max(0, scrollMargin - headHeight))

  const go = (event: KeyboardEvent) => {
    const inSight = Math.max(1, Math.floor((window.innerHeight - headHeight) / rowHeight) - 2)
    const next = rowAfter(event.key, { row: stopRow, last: rowIndexes.length - 1, inSight })
    if (next === null) return
    event.preventDefault()
    flushSync(() => setStop({ shows, row: next }))
    rows.scrollToIndex(next)
    body.current?.querySelector<HTMLElement>(`[data-row="${next}"] button`)?.focus({ preventScroll: true })
  }
  return (
    <div className="price-box">
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
            <div role="columnheader" className="price-pick">
              <span className="visually-hidden">Compare</span>
            </div>
            {gridColumns.map((column) => (
              <SortHeader key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div
          ref={body}
          role="rowgroup"
          className="price-body"
          style={{ height: rows.getTotalSize() }}
          onKeyDown={go}
        >
          {rows.getVirtualItems().map(({ key, index, start }) => {
            const rowIndex = rowIndexes[index]!
            const id = columns.resource_id[rowIndex]!
            const isPicked = selection.includes(id)
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                data-row={index}
                className="price-row"
                data-picked={isPicked}
                style={{ transform: `translateY(${start - scrollMargin}px)` }}
                onFocus={() => setStop({ shows, row: index })}
                // The button of the row does the same for who has no mouse.
                onClick={({ target }) => {
                  if (!(target as Element).closest('button, input, label')) onOpen(id)
                }}
              >
                <PriceCells
                  columns={columns}
                  rowIndex={rowIndex}
                  isStop={index === stopRow}
                  isPicked={isPicked}
                  canPick={isPicked || selection.length < selectionMax}
                  onOpen={onOpen}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** How far an element is below the top of the page. What is above it may wrap at any time. */
function useOffset(ref: { current: HTMLElement | null }): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const top = ref.current?.getBoundingClientRect().top
      if (top !== undefined) setOffset(Math.round(top + window.scrollY))
    }
    measure()
    const sizes = new ResizeObserver(measure)
    for (const element of ref.current?.closest('main')?.children ?? []) sizes.observe(element)
    return () => sizes.disconnect()
  }, [ref])
  return offset
}

/** Other rows begin at their first one, unless it is in sight. */
function useTopOf(shows: string, top: number): void {
  const shown = useRef(shows)
  useLayoutEffect(() => {
    if (shown.current === shows) return
    shown.current = shows
    if (window.scrollY > top) window.scrollTo({ top })
  }, [shows, top])
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
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
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

/** Larger where the user's browser is set to a larger text size. */
function remPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
