import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useKeys, useOlderKeys } from '../../api/keys.ts'
import { Button } from '../../components/Button.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { CreateKeyDialog, RenameKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './dialogs.tsx'
import { KeyTable, RevokedKeyTable, type KeyAction } from './KeyTable.tsx'
import './keys.css'

const dialogs = { rename: RenameKeyDialog, rotate: RotateKeyDialog, revoke: RevokeKeyDialog }

export default function KeysPage() {
  const [isCreating, setCreating] = useState(false)
  const [open, setOpen] = useState<{ action: KeyAction; key: Schemas['Key'] } | null>(null)
  const { data } = useKeys()
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
  const { data, error, refetch } = useKeys()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  const working = data.data.filter(({ state }) => state !== 'revoked')
  const revoked = data.data.filter(({ state }) => state === 'revoked')
  return (
    <>
      {working.length === 0 ? (
        <EmptyState title={revoked.length === 0 ? 'No keys yet' : 'No key that works'}>
          <p>With a key your programs can ask for prices.</p>
          <Button kind="primary" onClick={onCreate}>
            {revoked.length === 0 ? 'Create the first key' : 'Create a key'}
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
      {revoked.length > 0 && (
        <details className="fold">
          <summary>
            Revoked keys ({revoked.length}
            {data.pagination && ' and older ones'})
          </summary>
          <RevokedKeys latest={revoked} next={data.pagination?.next_cursor ?? null} />
        </details>
      )}
    </>
  )
}

/** @param next where older revoked keys begin; null: there are none */
function RevokedKeys({ latest, next }: { latest: readonly Schemas['Key'][]; next: string | null }) {
  // The first page when the user asked for more. The present first page moves on with every key that is revoked.
  const [shown, setShown] = useState<{ latest: readonly Schemas['Key'][]; cursor: string } | null>(null)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useOlderKeys(shown?.cursor ?? null)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  const older = data?.pages.flatMap((page) => page.data) ?? []
  const hasMore = shown ? hasNextPage : next !== null
  const showMore = () => {
    if (shown) void fetchNextPage()
    else if (next !== null) setShown({ latest, cursor: next })
  }
  return (
    <>
      <RevokedKeyTable keys={[...(shown?.latest ?? latest), ...older]} />
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
