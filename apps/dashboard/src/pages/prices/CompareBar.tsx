import { Link } from 'wouter'
import { Button } from '../../components/Button.tsx'
import { shownName, recordAt, type PriceIndex } from './price-index.ts'
import { comparePath, select, selectionMax, toggleSelected, useSelection } from './selection.ts'

/** What is ticked, at the lower edge of the window while there is something. */
export function CompareBar({ index }: { index: PriceIndex }) {
  const selection = useSelection()
  if (selection.length === 0) return null
  return (
    <section className="compare-bar" aria-label="To compare">
      <ul className="row">
        {selection.map((id) => {
          const row = index.rowIndexOf(id)
          const name = row === null ? id : shownName(recordAt(index.columns, row))
          return (
            <li key={id}>
              <button
                type="button"
                className="chip"
                title={id}
                aria-label={`Take ${name} away`}
                onClick={() => toggleSelected(id)}
              >
                {name} <span aria-hidden="true">×</span>
              </button>
            </li>
          )
        })}
      </ul>
      <div className="row">
        <span className="hint" role="status">
          {selection.length < 2
            ? `Tick 1 to ${selectionMax - 1} more`
            : `${selection.length} of ${selectionMax}`}
        </span>
        <Button onClick={() => select([])}>Clear</Button>
        {selection.length >= 2 && (
          <Link className="button" data-kind="primary" href={comparePath(selection)}>
            Compare {selection.length}
          </Link>
        )}
      </div>
    </section>
  )
}
