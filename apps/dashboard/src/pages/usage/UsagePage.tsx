import { formatNumber } from '@ratecard/contract/wording'
import { useQuery } from '@tanstack/react-query'
import { utcDayText } from '../../components/time-words.ts'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { ask } from '../../api/queries.ts'
import { useServerNow } from '../../api/server-now.ts'
import { useUsage, type UsageFilter } from '../../api/usage.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { EmptyState, ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { useQueryParams } from '../../query-params.ts'
import { KeyFilter } from '../keys/KeyFilter.tsx'
import { keyLabel } from '../keys/words.ts'
import { listColumns, DayTable } from './DayTable.tsx'
import { UsageChart } from './UsageChart.tsx'
import { isSpan, spans, toDays } from './span.ts'
import { endpoints, sumsByDay, sumsByKey } from './usage-sums.ts'

const dayCheckMs = 10_000

export default function UsagePage() {
  const [params, change] = useQueryParams()
  const { data: keys } = useQuery(ask('GET /keys'))
  const today = new Date(useServerNow(dayCheckMs)).toISOString().slice(0, 10)
  const asked = params.get('span')
  const span = isSpan(asked) ? asked : '30'
  const keyId = params.get('key')
  const endpoint = endpoints.find(({ id }) => id === params.get('endpoint'))?.id ?? null
  const filter: UsageFilter = {
    ...toDays(span, today),
    ...(keyId !== null && { key_id: keyId }),
    ...(endpoint !== null && { endpoint }),
  }
  return (
    <>
      <PageHeader title="Usage" about="Live from the billing ledger. Days are UTC days.">
        <Link
          className="button"
          href={keyId === null ? '/requests' : `/requests?key=${encodeURIComponent(keyId)}`}
        >
          Request log
        </Link>
        <a
          className="button"
          href={`/dashboard/api/usage.csv?${new URLSearchParams({ ...filter }).toString()}`}
          download
        >
          Export as CSV
        </a>
      </PageHeader>
      <div className="filters" role="group" aria-label="What to show">
        <SelectField label="Days" value={span} onChange={(span) => change({ span })} options={spans} />
        <KeyFilter value={keyId} onChange={(key) => change({ key })} />
        <SelectField
          label="Endpoint"
          value={endpoint}
          onChange={(endpoint) => change({ endpoint })}
          options={endpoints.map(({ id, label }) => ({ value: id, label }))}
          none="All endpoints"
        />
      </div>
      <Report filter={filter} keys={keys?.data ?? []} />
    </>
  )
}

function Report({ filter, keys }: { filter: UsageFilter; keys: readonly Schemas['Key'][] }) {
  const { data, error, refetch } = useUsage(filter)
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={8} />
  const { from, to, total, rows } = data
  if (rows.length === 0) {
    return (
      <EmptyState title="No requests here">
        <p>
          Nothing was counted from {utcDayText(from)} to {utcDayText(to)}. Choose other days, or{' '}
          <Link href="/keys">make a request with a key</Link>.
        </p>
      </EmptyState>
    )
  }
  const days = sumsByDay(rows, from, to)
  const keySums = sumsByKey(rows)
  const names = new Map(keys.map((key) => [key.id, keyLabel(key)]))
  return (
    <>
      <p>
        <span className="sum">{formatNumber(total)}</span> requests from {utcDayText(from)} to{' '}
        {utcDayText(to)} (UTC)
      </p>
      <UsageChart days={days} />
      <section className="stack" aria-labelledby="by-key">
        <h2 id="by-key">By key</h2>
        <Table
          dense
          caption="Requests per key"
          rows={keySums}
          rowKey={({ keyId }) => keyId}
          columns={[
            { label: 'Key', cell: ({ keyId }) => names.get(keyId) ?? keyId },
            ...listColumns(keySums),
          ]}
        />
      </section>
      <section className="stack" aria-labelledby="by-day">
        <h2 id="by-day">By day</h2>
        <p className="soft">Days without a request are left out.</p>
        <DayTable days={days} />
      </section>
    </>
  )
}
