import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useModelPrices } from '../../api/prices.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Combobox } from '../prices/Combobox.tsx'
import { findModel, recordAt, type PriceIndex } from '../prices/price-index.ts'
import { select, selectionMax } from '../prices/selection.ts'
import { usePriceIndex } from '../prices/use-price-index.ts'
import { Comparison } from './Comparison.tsx'
import '../prices/prices.css'
import './compare.css'

export default function ComparePage() {
  return (
    <>
      <PageHeader
        title="Compare"
        about={`Two to ${selectionMax} prices side by side. The lowest of each row is marked.`}
      >
        <Link className="button" href="/prices">
          All prices
        </Link>
      </PageHeader>
      <Compare />
    </>
  )
}

const suggestionsMax = 8

function Compare() {
  const [params, setParams] = useSearchParams()
  const [isTyping, setIsTyping] = useState(false)
  const asked = [...new Set(params.getAll('record'))].slice(0, selectionMax)
  const { index, error, refetch } = usePriceIndex(isTyping || asked.length > 0)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!index && asked.length > 0) return <Skeleton rows={8} />
  const show = (ids: readonly string[]) => {
    // The table's ticks follow, for who goes back to it.
    select(ids)
    setParams(new URLSearchParams(ids.map((id) => ['record', id])), { replace: true })
  }
  const known = asked.filter((id) => index && index.rowIndexOf(id) !== null)
  const unknown = asked.filter((id) => !known.includes(id))
  return (
    <>
      {unknown.length > 0 && (
        <p role="status">
          There is no record{' '}
          {unknown.map((id, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <code>{id}</code>
            </span>
          ))}
          : its source has dropped it, or has it under another id.
        </p>
      )}
      {known.length < selectionMax && (
        <div className="measure">
          <Combobox
            isRepeated
            label="Add a model"
            chosen={null}
            placeholder="gpt-4o, claude sonnet 4.5 …"
            find={(text) => index && suggestions(index, text, known)}
            onBegin={() => setIsTyping(true)}
            onChoose={(id) => id !== null && show([...known, id])}
          />
        </div>
      )}
      {!index || known.length === 0 ? (
        <EmptyState title="Add a model to compare">
          <p>
            Search for a model above, or tick records on the page of <Link href="/prices">all prices</Link>.
          </p>
        </EmptyState>
      ) : (
        <Loaded index={index} ids={known} onRemove={(id) => show(known.filter((one) => one !== id))} />
      )}
    </>
  )
}

/** Of each model the maker's own record; the id says which. */
function suggestions(index: PriceIndex, text: string, shown: readonly string[]) {
  return index.findModels(text, { limit: suggestionsMax }).flatMap(({ id: model, name }) => {
    const row = index.rowsOfModel(model)[0]
    const id = row === undefined ? model : index.columns.resource_id[row]!
    return shown.includes(id) ? [] : [{ id, name, hint: id }]
  })
}

interface LoadedProps {
  index: PriceIndex
  ids: readonly string[]
  onRemove: (id: string) => void
}

function Loaded({ index, ids, onRemove }: LoadedProps) {
  const records = ids.map((id) => recordAt(index.columns, index.rowIndexOf(id)!))
  const answers = useModelPrices([...new Set(records.map(findModel))])
  const failed = answers.find(({ error }) => error !== null)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (answers.some(({ data }) => data === undefined)) return <Skeleton rows={8} />
  const stored = new Map(
    answers.flatMap(({ data }) => data?.prices.map((price) => [price.resource_id, price] as const) ?? []),
  )
  return (
    <Comparison
      index={index}
      compared={records.map((record) => ({ record, stored: stored.get(record.resource_id) ?? null }))}
      onRemove={onRemove}
    />
  )
}
