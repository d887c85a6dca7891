import { useMemo } from 'react'
import { usePriceTable } from '../../api/prices.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { countText } from '../../components/language.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { goBackOr } from '../../query-params.ts'
import { PriceDialog } from './PriceDialog.tsx'
import { PriceExport } from './PriceExport.tsx'
import { PriceFilters } from './PriceFilters.tsx'
import { PriceGrid } from './PriceGrid.tsx'
import { filterNames, PriceIndex, recordAt, type PriceFilter } from './price-index.ts'
import { nextSort, shownSort, usePriceQuery } from './query.ts'
import { curlCommand, sdkCode } from './snippets.ts'
import './prices.css'

export default function PricesPage() {
  return (
    <>
      <PageHeader
        title="Prices"
        about="Every price record that the API serves. Looking here takes nothing from your quota."
      />
      <Prices />
    </>
  )
}

function Prices() {
  const { data, error, refetch } = usePriceTable()
  const index = useMemo(() => data && new PriceIndex(data), [data])
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

const noFilter = { ...Object.fromEntries(filterNames.map((name) => [name, null])), search: null }

function PriceTable({ index }: { index: PriceIndex }) {
  const [query, change] = usePriceQuery()
  const { filter, sort, record } = query
  const shown = shownSort(query)
  const rowIndexes = index.find(filter, sort)
  const opened = record === null ? null : index.rowIndexOf(record)
  return (
    <>
      <PriceFilters index={index} filter={filter} onChange={change} />
      <div className="row price-count">
        <p role="status">
          {rowIndexes.length === index.count
            ? `${countText(index.count)} records`
            : `${countText(rowIndexes.length)} of ${countText(index.count)} records`}
        </p>
        <div className="row">
          <CopyRequest filter={filter} />
          <PriceExport index={index} rowIndexes={rowIndexes} />
        </div>
      </div>
      {rowIndexes.length === 0 ? (
        <EmptyState title="No record matches">
          <p>
            {filter.search === ''
              ? 'Vendor, product, platform and modality must match exactly. Take one of them away.'
              : `No record has “${filter.search}” in its name, product, vendor or platform. Try a part of it.`}
          </p>
          <Button onClick={() => change(noFilter)}>Clear the filter</Button>
        </EmptyState>
      ) : (
        <PriceGrid
          shows={JSON.stringify([filter, sort])}
          columns={index.columns}
          rowIndexes={rowIndexes}
          sort={shown}
          onSort={(column) => change({ sort: nextSort(shown, column) })}
          onOpen={(resourceId) => change({ record: resourceId }, 'push')}
        />
      )}
      {record !== null && opened === null && (
        <p role="status">
          There is no record <code>{record}</code>.
        </p>
      )}
      {opened !== null && (
        <PriceDialog
          record={recordAt(index.columns, opened)}
          onClose={() => goBackOr(() => change({ record: null }))}
          onShowProduct={(product) => change({ ...noFilter, product, record: null })}
        />
      )}
    </>
  )
}

/** The present filter as a request for a program. */
function CopyRequest({ filter }: { filter: PriceFilter }) {
  const baseUrl = window.location.origin
  return (
    <div className="row">
      {filter.search !== '' && (
        <span className="hint">The request has the filters; the search is of this page alone.</span>
      )}
      <CopyButton text={curlCommand(baseUrl, filter)} what="curl command" label="Copy as curl" />
      <CopyButton text={sdkCode(baseUrl, filter)} what="SDK code" label="Copy as SDK code" />
    </div>
  )
}
