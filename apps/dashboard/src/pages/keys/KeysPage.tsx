import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { live } from '../../api/live.ts'
import { ask, askPages } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import {
  CreateKeyDialog,
  ExpiryDialog,
  RenameKeyDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
} from './dialogs.tsx'
import { EndedKeyTable, KeyTable, type KeyAction } from './KeyTable.tsx'
import './keys.css'

const dialogs = {
  rename: RenameKeyDialog,
  expiry: ExpiryDialog,
  rotate: RotateKeyDialog,
  revoke: RevokeKeyDialog,
}

export default function KeysPage() {
  const [isCreating, setCreating] = useState(false)
  const [open, setOpen] = useState<{ action: KeyAction; key: Schemas['Key'] } | null>(null)
  const { data } = useQuery({ ...ask('GET /keys'), ...live })
  const create = () => setCreating(true)
  const KeyDialog = open && dialogs[open.action]
  return (
    <>
      <PageHeader
        title="Keys"
        about="A key identifies a program of yours. Each has a daily quota of its own; packs serve all of them."
      >
        <Button
          kind="primary"
          onClick={create}
          disabled={data !== undefined && data.active >= data.active_max}
        >
          Create a key
        </Button>
      </PageHeader>
      <KeyList onCreate={create} onAction={(action, key) => setOpen({ action, key })} />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {KeyDialog && <KeyDialog of={open.key} onClose={() => setOpen(null)} />}
    </>
  )
}

interface KeyListProps {
  onCreate: () => void
  onAction: (action: KeyAction, key: Schemas['Key']) => void
}

function KeyList({ onCreate, onAction }: KeyListProps) {
  const { data, error, refetch } = useQuery({ ...ask('GET /keys'), ...live })
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  const working = data.data.filter(({ state }) => state === 'active' || state === 'ending')
  const ended = data.data.filter(({ state }) => state === 'revoked' || state === 'expired')
  return (
    <>
      {working.length === 0 ? (
        <EmptyState title={ended.length === 0 ? 'No keys yet' : 'No key that works'}>
          <p>With a key your programs can ask for prices.</p>
          <Button kind="primary" onClick={onCreate}>
            {ended.length === 0 ? 'Create the first key' : 'Create a key'}
          </Button>
        </EmptyState>
      ) : (
        <>
          <p className="soft">
            {data.active} of {data.active_max} active keys.
            {data.active >= data.active_max && (
              <>
                {' '}
                To make another, revoke one, or <a href="/plans">see what other plans have</a>.
              </>
            )}
          </p>
          <KeyTable keys={working} onAction={onAction} />
        </>
      )}
      {ended.length > 0 && (
        <details className="fold">
          <summary>
            {ended.some(({ state }) => state === 'expired') ? 'Revoked and expired keys' : 'Revoked keys'} (
            {ended.length}
            {data.pagination && ' and older ones'})
          </summary>
          <EndedKeys latest={ended} next={data.pagination?.next_cursor ?? null} />
        </details>
      )}
    </>
  )
}

/** @param next where older keys begin; null: there are none */
function EndedKeys({ latest, next }: { latest: readonly Schemas['Key'][]; next: string | null }) {
  // The first page when the user asked for more. The present first page moves on with every key that ends.
  const [shown, setShown] = useState<{ latest: readonly Schemas['Key'][]; cursor: string } | null>(null)
  const cursor = shown?.cursor ?? null
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    ...askPages('GET /keys'),
    queryKey: ['GET /keys', 'pages', cursor],
    initialPageParam: cursor,
    enabled: cursor !== null,
  })
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  const older = data?.pages.flatMap((page) => page.data) ?? []
  const hasMore = shown ? hasNextPage : next !== null
  const showMore = () => {
    if (shown) void fetchNextPage()
    else if (next !== null) setShown({ latest, cursor: next })
  }
  return (
    <>
      <EndedKeyTable keys={[...(shown?.latest ?? latest), ...older]} />
      {(hasMore || isFetching) && (
        <div className="row">
          <Button onClick={showMore} busy={isFetching}>
            Older keys
          </Button>
        </div>
      )}
    </>
  )
}
