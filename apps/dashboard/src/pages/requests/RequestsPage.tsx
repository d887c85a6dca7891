import { formatNumber, pluralize } from '@ratecard/contract/wording'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { askPages } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { useQueryParams } from '../../query-params.ts'
import { KeyFilter } from '../keys/KeyFilter.tsx'
import { Outcomes } from './Outcomes.tsx'
import { RequestTable } from './RequestTable.tsx'
import { operations, statuses } from './words.ts'
import './requests.css'

type RequestFilter = Schemas['RequestFilter']

/** As many as a phone shows in a few screens. */
const pageSize = 25

export default function RequestsPage() {
  const [params, change] = useQueryParams()
  const status = statuses.find(({ value }) => value === params.get('status'))?.value
  const operation = operations.find(({ value }) => value === params.get('operation'))?.value
  const keyId = params.get('key')
  const filter: RequestFilter = {
    ...(status && { status }),
    ...(operation && { operation }),
    ...(keyId !== null && { key_id: keyId }),
  }
  return (
    <>
      <PageHeader
        title="Requests"
        about="Requests from the last days, including rejected ones. New requests appear within seconds."
      />
      <div className="filters" role="group" aria-label="What to show">
        <SelectField
          label="Status"
          value={status ?? null}
          onChange={(status) => change({ status })}
          options={statuses}
          none="All"
        />
        <SelectField
          label="Endpoint"
          value={operation ?? null}
          onChange={(operation) => change({ operation })}
          options={operations}
          none="All endpoints"
        />
        <KeyFilter value={keyId} onChange={(key) => change({ key })} />
      </div>
      <Log filter={filter} onClear={() => change({ status: null, operation: null, key: null })} />
    </>
  )
}

function Log({ filter, onClear }: { filter: RequestFilter; onClear: () => void }) {
  const query = useInfiniteQuery(askPages('GET /requests', { ...filter, limit: pageSize }))
  const { data, error, refetch, isFetching, isFetchingNextPage } = query
  const [first] = data?.pages ?? []
  if (error && !first) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || !first) return <Skeleton rows={8} />
  const isFiltered = Object.keys(filter).length > 0
  if (first.outcomes.length === 0) return <Nothing days={first.days} onClear={isFiltered ? onClear : null} />
  const hours = new Map(
    data.pages.flatMap(({ partial_hours }) => partial_hours).map((hour) => [hour.hour, hour]),
  )
  return (
    <>
      <Outcomes of={first} />
      <div className="between requests-head">
        <Listed of={first} />
        <Button size="small" busy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
          Refresh
        </Button>
      </div>
      <RequestTable requests={data.pages.flatMap((page) => page.data)} hours={hours} />
      <MoreButton of={query}>Older requests</MoreButton>
    </>
  )
}

/** How much of the log is in the list. */
function Listed({ of: { outcomes, listed, days } }: { of: Schemas['RequestLog'] }) {
  const total = outcomes.reduce((sum, { requests }) => sum + requests, 0)
  const span = `in the last ${days} days`
  // A line may be there before its count is read.
  if (listed >= total) {
    return (
      <p>
        <strong>{formatNumber(total)}</strong> {pluralize(total, 'request')} {span}
      </p>
    )
  }
  return (
    <p>
      <strong>{formatNumber(total)}</strong> requests {span}, {formatNumber(listed)} of them listed.{' '}
      <span className="soft">
        Of many that are alike in a minute the first are listed, and of all the newest 10,000.
      </span>
    </p>
  )
}

/** @param onClear null: no filter is set */
function Nothing({ days, onClear }: { days: number; onClear: (() => void) | null }) {
  if (onClear) {
    return (
      <EmptyState title="No such requests">
        <p>In the last {days} days no request matches these filters.</p>
        <Button onClick={onClear}>Show all requests</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No requests yet">
      <p>
        Each request with a key of yours is listed here for {days} days: what was asked, how it was answered,
        and the request id to name when you ask for help.
      </p>
      <Link className="button" data-kind="primary" href="/overview">
        Make a first request
      </Link>
    </EmptyState>
  )
}
