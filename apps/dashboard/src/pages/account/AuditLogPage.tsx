import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { askPages } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Form } from '../../components/Form.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { useQueryParams, type SetParams } from '../../query-params.ts'
import { AccountHeader } from './AccountHeader.tsx'
import { actionText, actorText, describeDetails, kinds, subjectText } from './audit-words.ts'

/** What is left out filters nothing. */
type AuditFilter = Schemas['AuditFilter']

export default function AuditLogPage() {
  const [params, change] = useQueryParams()
  const filter = readFilter(params)
  return (
    <>
      <AccountHeader
        title="Audit log"
        about="What was done to keys, webhooks, members and billing, newest first. What users and keys did is kept for 400 days, the rest for good."
      >
        <a
          className="button"
          href={`/dashboard/api/audit-log.csv?${new URLSearchParams(filter).toString()}`}
          download
        >
          Export as CSV
        </a>
      </AccountHeader>
      <Filters filter={filter} onChange={change} />
      <Entries filter={filter} onClear={() => change({ kind: null, search: null })} />
    </>
  )
}

function readFilter(params: URLSearchParams): AuditFilter {
  const kind = kinds.find(({ value }) => value === params.get('kind'))?.value
  const search = params.get('search')
  return { ...(kind && { kind }), ...(search && { search: search.slice(0, searchCharsMax) }) }
}

const searchCharsMax = 100

function Filters({ filter, onChange }: { filter: AuditFilter; onChange: SetParams }) {
  return (
    <search className="filters">
      <SearchField
        // Takes over a value that was cleared elsewhere.
        key={filter.search}
        value={filter.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <SelectField
        label="What"
        none="Everything"
        value={filter.kind ?? null}
        options={kinds}
        onChange={(kind) => onChange({ kind })}
      />
    </search>
  )
}

/** Searches on Enter or on leaving the field. */
function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  const ask = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <Form onSend={ask}>
      <Field
        label="Search"
        type="search"
        placeholder="A name, an address or an identifier"
        maxLength={searchCharsMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={ask}
      />
    </Form>
  )
}

function Entries({ filter, onClear }: { filter: AuditFilter; onClear: () => void }) {
  const query = useInfiniteQuery(askPages('GET /audit-log', filter))
  const { data, error, refetch } = query
  const entries = data?.pages.flatMap((page) => page.data)
  if (error && !entries) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!entries) return <Skeleton rows={8} />
  if (entries.length === 0 && Object.keys(filter).length > 0) {
    return (
      <EmptyState title="No entry matches">
        <p>Search for a part of an address, a name or an identifier, or look at everything.</p>
        <Button onClick={onClear}>Clear the filter</Button>
      </EmptyState>
    )
  }
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
          { label: 'To what', cell: (entry) => <Subject of={entry} /> },
          { label: 'Who', cell: (entry) => <bdi className="email">{actorText(entry)}</bdi> },
          { label: 'When', cell: ({ at }) => <Time value={at} /> },
        ]}
      />
      <MoreButton of={query}>Show older entries</MoreButton>
    </>
  )
}

/** What people call it; its identifier is in the tooltip, and in the file. */
function Subject({ of: entry }: { of: Schemas['AuditEntry'] }) {
  const name = subjectText(entry)
  return (
    <div className="breaks">
      <span title={entry.subject_id ?? undefined}>
        {name === null ? <code>{entry.subject_id}</code> : <bdi>{name}</bdi>}
      </span>
      {describeDetails(entry).map(({ label, value }) => (
        <div key={label} className="hint">
          {label} {isInstant(value) ? <Time value={value} /> : <bdi>{value}</bdi>}
        </div>
      ))}
    </div>
  )
}

function isInstant(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(value)
}
