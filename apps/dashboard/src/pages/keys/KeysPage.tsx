import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useKeys } from '../../api/keys.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'

type Key = Schemas['Key']

export default function KeysPage() {
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  return (
    <>
      <PageHeader
        title="Keys"
        about="A key identifies a program of yours. Each has a daily quota of its own; packs serve all of them."
      >
        <Button kind="primary" onClick={create}>
          Create a key
        </Button>
      </PageHeader>
      <KeyList onCreate={create} />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  )
}

function KeyList({ onCreate }: { onCreate: () => void }) {
  const { data, error, refetch } = useKeys()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  if (data.data.length === 0) {
    return (
      <EmptyState title="No keys yet">
        <p>With a key your programs can ask for prices.</p>
        <Button kind="primary" onClick={onCreate}>
          Create the first key
        </Button>
      </EmptyState>
    )
  }
  return (
    <>
      <p className="soft">
        {data.active} of {data.active_max} active keys.
      </p>
      <Table
        caption="Keys of this account"
        rows={data.data}
        rowKey={({ id }) => id}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          {
            label: 'Key',
            cell: ({ prefix, last_four }) => (
              <code>
                {prefix}…{last_four}
              </code>
            ),
          },
          { label: 'State', cell: (key) => <KeyState of={key} /> },
          { label: 'Used today (UTC)', cell: ({ used_today }) => used_today.toLocaleString() },
          { label: 'Last used', cell: ({ last_used_at }) => <Time value={last_used_at} /> },
          { label: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
        ]}
      />
    </>
  )
}

function KeyState({ of: key }: { of: Key }) {
  if (key.state === 'active') return <Badge tone="good">active</Badge>
  if (key.state === 'revoked') return <Badge>revoked</Badge>
  return (
    <>
      <Badge tone="warn">ending</Badge> <Time value={key.revoked_at} />
    </>
  )
}
