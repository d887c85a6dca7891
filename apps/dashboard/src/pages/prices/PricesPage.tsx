import { formatNumber } from '@ratecard/contract/wording'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { goBackOr, type SetParams } from '../../query-params.ts'
import { CompareBar } from './CompareBar.tsx'
import { PriceDialog } from './PriceDialog.tsx'
import { PriceExport } from './PriceExport.tsx'
import { PriceFilters } from './PriceFilters.tsx'
import { PriceGrid } from './PriceGrid.tsx'
import { noFilter, recordAt, type PriceFilter, type PriceIndex, type Sort } from './price-index.ts'
import { cleared, nextSort, usePriceQuery } from './query.ts'
import { curlCommand, sdkCode } from './snippets.ts'
import { usePriceIndex } from './use-price-index.ts'
import './prices.css'

export default function PricesPage() {
  return (
    <>
      <PageHeader title="Prices" about="Every price the API serves. Browsing here doesn’t use your quota." />
      <Prices />
    </>
  )
}

function Prices() {
  const { index, error, refetch } = usePriceIndex()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!index) return <Skeleton rows={12} />
  if (index.count === 0) {
    return (
      <EmptyState title="No prices yet">
        <p>
          They appear here as soon as the first source is read. An operator does that with{' '}
          <code>ratecard feed run</code>.
        </p>
      </EmptyState>
    )
  }
  return <PriceTable index={index} />
}

function PriceTable({ index }: { index: PriceIndex }) {
  const [{ filter, sort, record }, change] = usePriceQuery()
  const rowIndexes = index.find(filter, sort)
  const isWhole = sort === null && JSON.stringify(filter) === JSON.stringify(noFilter)
  const opened = record === null ? null : index.rowIndexOf(record)
  return (
    <>
      {record !== null && opened === null && <NoSuchRecord id={record} index={index} onChange={change} />}
      <PriceFilters index={index} filter={filter} sort={sortText(sort)} onChange={change} />
      <div className="row price-count">
        <p role="status">
          {rowIndexes.length === index.count
            ? `${formatNumber(index.count)} records`
            : `${formatNumber(rowIndexes.length)} of ${formatNumber(index.count)} records`}
          {isWhole && rowIndexes.length < index.count && (
            <span className="hint"> The others have no price; a search or a filter finds them.</span>
          )}
        </p>
        <div className="row">
          <CopyRequest filter={filter} />
          <PriceExport index={index} rowIndexes={rowIndexes} />
        </div>
      </div>
      {rowIndexes.length === 0 ? (
        <NothingFound index={index} filter={filter} onChange={change} />
      ) : (
        <PriceGrid
          shows={JSON.stringify([filter, sort])}
          columns={index.columns}
          rowIndexes={rowIndexes}
          sort={sort}
          onSort={(column) => change({ sort: nextSort(sort, column) })}
          onOpen={(resourceId) => change({ record: resourceId }, 'push')}
        />
      )}
      <CompareBar index={index} />
      {opened !== null && (
        <PriceDialog
          record={recordAt(index.columns, opened)}
          onClose={() => goBackOr(() => change({ record: null }))}
          onShowProduct={(product) => change({ ...cleared, product, record: null })}
        />
      )}
    </>
  )
}

function sortText(sort: Sort | null): string | null {
  return sort && `${sort.isDescending ? '-' : ''}${sort.column}`
}

interface FoundProps {
  index: PriceIndex
  onChange: SetParams
}

/** What may be meant instead, and the way back to everything. */
function NothingFound({ index, filter, onChange }: FoundProps & { filter: PriceFilter }) {
  const near = filter.search === '' ? null : index.nearSearch(filter.search)
  const isFiltered = JSON.stringify({ ...filter, search: '' }) !== JSON.stringify(noFilter)
  return (
    <EmptyState title="No record matches">
      {near !== null && (
        <p>
          Did you mean{' '}
          <button type="button" className="link" onClick={() => onChange({ search: near })}>
            {near}
          </button>
          ?
        </p>
      )}
      <p>
        {filter.search === ''
          ? 'Each filter must match exactly. Take one of them away.'
          : `No record has “${filter.search}” in its name, product, vendor or platform. Try fewer words${isFiltered ? ', or take a filter away' : ''}.`}
      </p>
      <Button onClick={() => onChange(cleared)}>
        {isFiltered ? 'Clear the filters' : 'Clear the search'}
      </Button>
    </EmptyState>
  )
}

/** A link may be older than the list: a change tells of records that have gone since. */
function NoSuchRecord({ id, index, onChange }: FoundProps & { id: string }) {
  const near = index.findModels(id.slice(id.indexOf(':') + 1), { limit: 1 })[0]
  return (
    <div className="notice" role="status">
      <h2>
        There is no record <code>{id}</code>
      </h2>
      <p>
        It is not served: its source has dropped it, or has it under another id.
        {near && (
          <>
            {' '}
            The nearest is{' '}
            <button
              type="button"
              className="link"
              onClick={() => onChange({ ...cleared, search: near.name, record: null })}
            >
              {near.name}
            </button>
            .
          </>
        )}
      </p>
      <Button onClick={() => onChange({ record: null })}>Show all records</Button>
    </div>
  )
}

/** The present filter as a request for a program. */
function CopyRequest({ filter }: { filter: PriceFilter }) {
  const baseUrl = window.location.origin
  const isOfPage = filter.search !== '' || filter.isOwn || filter.isSure
  return (
    <div className="row price-copy">
      {isOfPage && (
        <span className="hint">The request has the exact filters; the search is of this page alone.</span>
      )}
      <CopyButton text={curlCommand(baseUrl, filter)} what="curl command" label="Copy as curl" />
      <CopyButton text={sdkCode(baseUrl, filter)} what="SDK code" label="Copy as SDK code" />
    </div>
  )
}
