import { amountFields, formatAmount, nameAmount, nameField } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { usePriceHistory } from '../../api/prices.ts'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { HistoryChart } from './HistoryChart.tsx'

type Version = Schemas['PriceVersion']

/** What a record has said over time: as a chart, and every state as a table. */
export function History({ resourceId, goneSince }: { resourceId: string; goneSince: string | null }) {
  const { data, error, refetch } = usePriceHistory(resourceId)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={2} />
  const used = amountFields.filter((field) => data.versions.some((version) => version[field] !== null))
  return (
    <>
      <HistoryChart versions={data.versions} goneSince={goneSince} />
      <details className="fold">
        <summary>Show as table ({data.versions.length})</summary>
        <Table<Version>
          caption={`What ${resourceId} has said, newest first`}
          rows={data.versions}
          // Several states may be of one moment: a replay has a clock of its own.
          rowKey={(version) => data.versions.indexOf(version)}
          columns={[
            { label: 'Known since', cell: ({ since }) => <Time value={since} /> },
            {
              label: 'Holds since',
              cell: ({ valid_from, valid_from_by }) =>
                valid_from_by === 'first_seen' ? 'first seen then' : valid_from.slice(0, 10),
            },
            ...used.map((field) => ({
              label: nameAmount(field),
              cell: (version: Version) => formatAmount(version[field], version.currency),
            })),
            {
              label: 'What moved',
              cell: ({ moved }) => (moved.length === 0 ? 'first served' : moved.map(nameField).join(', ')),
            },
            { label: 'Source', cell: ({ source }) => source },
          ]}
        />
      </details>
    </>
  )
}
