import { formatInstant, formatOtherAmounts, language, nameModality } from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { memo } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { shownName, recordAt, type Columns, type PriceRecord } from './price-index.ts'
import { toggleSelected } from './selection.ts'
import { TokenAmount } from './TokenAmount.tsx'
import { isDoubtful, standingWords } from './words.ts'

interface PriceCellsProps {
  columns: Columns
  rowIndex: number
  /** Whether Tab stops here. */
  isStop: boolean
  /** Whether it is ticked to be compared, and whether it may be. */
  isPicked: boolean
  canPick: boolean
  onOpen: (resourceId: string) => void
}

const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })

/** Rendered once, however often its row moves. */
export const PriceCells = memo(
  function PriceCells({ columns, rowIndex, isStop, isPicked, canPick, onOpen }: PriceCellsProps) {
    const record = recordAt(columns, rowIndex)
    const { resource_id: id, updated_at: updatedAt, platform } = record
    const name = shownName(record)
    const tabIndex = isStop ? 0 : -1
    return (
      <>
        <div role="cell" className="price-pick">
          <input
            type="checkbox"
            aria-label={`Compare ${name}, ${id}`}
            tabIndex={tabIndex}
            checked={isPicked}
            disabled={!canPick}
            title={canPick ? 'Compare' : 'Four at most are compared. Take one away first.'}
            onChange={() => toggleSelected(id)}
          />
        </div>
        <div role="rowheader" className="price-name">
          <div>
            <button type="button" className="link" tabIndex={tabIndex} onClick={() => onOpen(id)}>
              {name}
              <span className="visually-hidden"> {id}</span>
            </button>
            <Marks record={record} />
          </div>
          <span className="hint mono" title={id} aria-hidden="true">
            {id}
          </span>
        </div>
        <div role="cell" className="price-platform">
          {platform !== null && (
            <span className="chip" title={platform}>
              {companyName(platform)}
            </span>
          )}
          {record.region !== null && <span className="hint"> {record.region}</span>}
        </div>
        <div role="cell" className="price-modality">
          {record.modality !== null && nameModality(record.modality)}
        </div>
        <Amounts record={record} />
        <div role="cell" className="price-updated">
          {record.versions > 1 ? (
            <time dateTime={updatedAt} title={formatInstant(updatedAt)}>
              {day.format(new Date(updatedAt))}
            </time>
          ) : (
            <span title="It has not moved since it was first served.">–</span>
          )}
        </div>
      </>
    )
  },
  (a, b) =>
    a.columns === b.columns &&
    a.rowIndex === b.rowIndex &&
    a.isStop === b.isStop &&
    a.isPicked === b.isPicked &&
    a.canPick === b.canPick,
)

/** What a reader must know before they trust the amounts. */
function Marks({ record: { standing, starts_on: startsOn } }: { record: PriceRecord }) {
  const today = new Date().toISOString().slice(0, 10)
  return (
    <>
      {isDoubtful(standing) && (
        <span title={standingWords[standing].about}>
          <Badge tone={standingWords[standing].tone}>{standingWords[standing].text}</Badge>
        </span>
      )}
      {startsOn !== null && startsOn > today && (
        <span title={`Another price begins on ${startsOn}.`}>
          <Badge tone="warn">changes {startsOn}</Badge>
        </span>
      )}
    </>
  )
}

function Amounts({ record }: { record: PriceRecord }) {
  const { currency } = record
  const others = formatOtherAmounts(record)
  if (record.input_per_mtok === null && record.output_per_mtok === null && others !== '') {
    return (
      <div role="cell" aria-colspan={3} className="price-other" title={others}>
        {others}
      </div>
    )
  }
  return (
    <>
      <div role="cell" className="price-input" title={others}>
        <TokenAmount amount={record.input_per_mtok} currency={currency} mark={record.input_mark} />
      </div>
      <div role="cell" className="price-output">
        <TokenAmount amount={record.output_per_mtok} currency={currency} mark={record.output_mark} />
      </div>
      <div role="cell" className="price-cached">
        <TokenAmount amount={record.cached_input_per_mtok} currency={currency} />
      </div>
    </>
  )
}
