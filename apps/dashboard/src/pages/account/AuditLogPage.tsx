import type { Schemas } from '../../../contract/index.ts'
import { useAuditLog } from '../../api/account.ts'
import { MoreButton } from '../../components/MoreButton.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { actionText, actorText } from './audit-words.ts'

export default function AuditLogPage() {
  return (
    <>
      <AccountHeader
        title="Audit log"
        about="What was done to keys, webhooks, members and billing, newest first. What users and keys did is kept for 400 days, the rest for good."
      />
      <Entries />
    </>
  )
}

function Entries() {
  const query = useAuditLog()
  const { data, error, refetch } = query
  const entries = data?.pages.flatMap((page) => page.data)
  if (error && !entries) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!entries) return <Skeleton />
  if (entries.length === 0) {
    return (
      <EmptyState title="Nothing was done yet">
        <p>Create a key or invite somebody, and it is written down here, with who did it and when.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <Table
        caption="What was done to this account"
        rows={entries}
        rowKey={({ id }) => id}
        columns={[
          { label: 'What', cell: ({ action }) => actionText(action) },
          { label: 'Who', cell: (entry) => <span className="email">{actorText(entry)}</span> },
          { label: 'When', cell: ({ at }) => <Time value={at} /> },
          { label: 'To what', cell: (entry) => <Details of={entry} /> },
        ]}
      />
      {error ? (
        <ErrorState error={error} onRetry={() => void query.fetchNextPage()} />
      ) : (
        <MoreButton of={query}>Show older entries</MoreButton>
      )}
    </>
  )
}

function Details({ of: { subject_id, details } }: { of: Schemas['AuditEntry'] }) {
  return (
    <div className="audit-details">
      {subject_id !== null && <code>{subject_id}</code>}
      {details.map(({ name, value }) => (
        <div key={name}>
          <span className="soft">{name.replaceAll('_', ' ')}:</span>{' '}
          {isInstant(value) ? <Time value={value} /> : value}
        </div>
      ))}
    </div>
  )
}

function isInstant(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(value)
}
