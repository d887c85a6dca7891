import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useChanges, type ChangeFilter } from '../../api/changes.ts'
import { Button } from '../../components/Button.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { useQueryParams } from '../../query-params.ts'
import { ChangeFilters } from './ChangeFilters.tsx'
import { ChangeBadges, MoveList, SummaryNotice, When } from './parts.tsx'
import { formatMonth } from './words.ts'
import './changes.css'

export default function ChangesPage() {
  const [params, change] = useQueryParams()
  const filter = readFilter(params)
  return (
    <>
      <PageHeader
        title="Changes"
        about="What vendors have changed, newest first. Looking here takes nothing from your quota."
      />
      <ChangeFilters filter={filter} onChange={change} />
      <ChangeList
        filter={filter}
        onClear={() => change(Object.fromEntries(Object.keys(filter).map((name) => [name, null])))}
      />
    </>
  )
}

function ChangeList({ filter, onClear }: { filter: ChangeFilter; onClear: () => void }) {
  const query = useChanges(filter)
  const { data, error, refetch } = query
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={8} />
  const changes = data.pages.flatMap((page) => page.data)
  if (changes.length === 0) return <NoChanges filter={filter} onClear={onClear} />
  return (
    <>
      {changes[0]?.access === 'summary' && <SummaryNotice />}
      {[...Map.groupBy(changes, formatMonth)].map(([month, ofMonth]) => (
        <section key={month} className="stack" aria-labelledby={`month-${month}`}>
          <h2 id={`month-${month}`} className="month">
            {month}
          </h2>
          <ol className="changes" aria-label={`Changes of ${month}`}>
            {ofMonth.map((change) => (
              <li key={change.id}>
                <ChangeCard change={change} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <MoreButton of={query}>Show older changes</MoreButton>
    </>
  )
}

function NoChanges({ filter, onClear }: { filter: ChangeFilter; onClear: () => void }) {
  if (Object.keys(filter).length === 0) {
    return (
      <EmptyState title="No changes yet">
        <p>They appear here when a source reports another price, a new model or the end of one.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No change matches">
      <p>Vendor, product and category must match exactly. Take one of them away.</p>
      <Button onClick={onClear}>Clear the filter</Button>
    </EmptyState>
  )
}

function ChangeCard({ change }: { change: Schemas['Change'] }) {
  const { id, title, vendor, product, alternatives } = change
  return (
    <article className="change">
      <div className="change-head">
        <h3>
          <Link href={`/changes/${encodeURIComponent(id)}`}>{title}</Link>
        </h3>
        <ChangeBadges change={change} />
      </div>
      <p className="hint">
        {vendor} · {product} · <When change={change} />
      </p>
      <MoveList change={change} />
      {alternatives.length > 0 && (
        <p className="hint">
          Alternatives: {alternatives.map(({ product_name }) => product_name).join(', ')}
        </p>
      )}
    </article>
  )
}

function readFilter(params: URLSearchParams): ChangeFilter {
  const [vendor, product, category] = ['vendor', 'product', 'category'].map((name) => params.get(name))
  const severity = Number(params.get('min_severity'))
  return {
    ...(vendor && { vendor }),
    ...(product && { product }),
    ...(category && { category }),
    ...([2, 3, 4, 5].includes(severity) && { min_severity: severity }),
    ...(params.get('include_incidents') === 'true' && { include_incidents: true }),
  }
}
