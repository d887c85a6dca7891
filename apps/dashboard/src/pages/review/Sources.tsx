import { formatNumber } from '@ratecard/contract/wording'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../contract/index.ts'
import { askData } from '../../api/queries.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { Address } from './Address.tsx'

type Source = Schemas['FeedSource']

/** Sources are read every hour or so. An operator who leaves the page open sees what a run has held. */
export const refetchMs = 30_000
export const sourcesQuery = { ...askData('GET /review/sources'), refetchInterval: refetchMs }

export const tones: Record<Source['outcome'], Tone> = {
  applied: 'good',
  held: 'warn',
  refused: 'bad',
  unreachable: 'bad',
}

/** How the sources stand. */
export function Sources() {
  return (
    <section className="stack" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <SourceList />
    </section>
  )
}

function SourceList() {
  const { data, error, refetch } = useQuery(sourcesQuery)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  const { sources, priced, confirmed, outvoted } = data
  if (sources.length === 0) {
    return (
      <p className="soft">
        No source has been read. <code>ratecard feed refresh</code> reads them all.
      </p>
    )
  }
  return (
    <>
      <p className="soft">
        {formatNumber(confirmed)} of {formatNumber(priced)} served prices
        {priced > 0 && ` (${Math.round((100 * confirmed) / priced)} %)`} are confirmed: two or more
        independent sources state them, and no more deny them. {formatNumber(outvoted)} served amounts are
        denied by two that agree.
      </p>
      <Table
        caption="Sources, and their last runs"
        rows={sources}
        rowKey={({ source }) => source}
        columns={[
          { label: 'Source', cell: ({ source }) => source },
          { label: 'Last run', cell: (source) => <LastRun of={source} /> },
          { label: 'Data of', cell: ({ data_at }) => data_at ?? <span className="soft">not stated</span> },
          { label: 'Rows', cell: ({ rows }) => (rows === null ? '–' : formatNumber(rows)), isNumber: true },
          {
            label: 'Refused rows',
            cell: ({ rejected }) => (rejected === null ? '–' : formatNumber(rejected)),
            isNumber: true,
          },
          { label: 'Waiting', cell: ({ waiting }) => formatNumber(waiting), isNumber: true },
        ]}
      />
    </>
  )
}

/** When a source was read last, and what became of it. */
export function LastRun({ of: { outcome, observed_at, message } }: { of: Source }) {
  return (
    <>
      <Badge tone={tones[outcome]}>{outcome}</Badge> <Time value={observed_at} />
      {message !== null && <p className="hint short breaks">{message}</p>}
    </>
  )
}

/** The address that a source was read from. */
export function ReadFrom({ of: { url } }: { of: Source }) {
  return url === null ? <>a file, or what comes with the program</> : <Address value={url} />
}
