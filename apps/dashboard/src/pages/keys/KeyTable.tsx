import { formatNumber } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Table, type Column } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { useServerNow } from '../../api/server-now.ts'
import { expiryText } from './expiry.ts'

type Key = Schemas['Key']
export type KeyAction = 'rename' | 'expiry' | 'rotate' | 'revoke'

/** Days are counted. */
const tickMs = 60_000

export interface KeyTableProps {
  keys: readonly Key[]
  onAction: (action: KeyAction, key: Key) => void
}

/** The active keys, with their actions. */
export function KeyTable({ keys, onAction }: KeyTableProps) {
  // The label includes the key's last characters: a rotated key and its successor have the same name.
  const button = (action: KeyAction, label: string, key: Key, kind: 'plain' | 'danger' = 'plain') => (
    <Button
      size="small"
      kind={kind}
      aria-label={`${label} ${key.name} …${key.last_four}`}
      onClick={() => onAction(action, key)}
    >
      {label}
    </Button>
  )
  return (
    <Table
      caption="Active keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { label: 'Key', cell: (key) => <KeyName of={key} /> },
        { label: 'State', cell: (key) => <KeyState of={key} among={keys} /> },
        { label: 'Today (UTC)', isNumber: true, cell: (key) => <UsedToday of={key} /> },
        ...usageColumns,
        {
          label: 'Actions',
          cell: (key) => (
            <div className="row key-actions">
              {button('rename', 'Rename', key)}
              {key.state === 'active' && button('expiry', 'Expiry', key)}
              {key.state === 'active' && button('rotate', 'Rotate', key)}
              {button('revoke', 'Revoke', key, 'danger')}
            </div>
          ),
        },
      ]}
    />
  )
}

function UsedToday({ of: { used_today, used_by_ended_today } }: { of: Key }) {
  return (
    <>
      {formatNumber(used_today)}
      {used_by_ended_today > 0 && (
        <p className="hint">
          Its quota has {formatNumber(used_by_ended_today)} more, used by a key that ended today
        </p>
      )}
    </>
  )
}

/** The keys that are refused: their use stays visible. */
export function EndedKeyTable({ keys }: { keys: readonly Key[] }) {
  return (
    <Table
      caption="Keys that are refused"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { label: 'Key', cell: (key) => <KeyName of={key} /> },
        {
          label: 'Ended',
          cell: ({ state, ends_at }) => (
            <>
              {state === 'expired' ? 'expired' : 'revoked'} <Time value={ends_at} />
            </>
          ),
        },
        ...usageColumns,
      ]}
    />
  )
}

const usageColumns: Column<Key>[] = [
  {
    label: '30 days',
    isNumber: true,
    cell: ({ id, name, used_30_days }) => (
      <>
        <Link href={`/usage?key=${id}`} aria-label={`${formatNumber(used_30_days)}, usage of ${name}`}>
          {formatNumber(used_30_days)}
        </Link>{' '}
        <Link className="hint" href={`/requests?key=${id}`} aria-label={`Request log of ${name}`}>
          log
        </Link>
      </>
    ),
  },
  { label: 'Last used', cell: ({ last_used_at }) => <Time value={last_used_at} /> },
  { label: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
]

function KeyName({ of: { name, prefix, last_four } }: { of: Key }) {
  return (
    <span className="key-name">
      {name}
      <code>
        {prefix}…{last_four}
      </code>
    </span>
  )
}

function KeyState({ of: key, among }: { of: Key; among: readonly Key[] }) {
  const nowMs = useServerNow(tickMs)
  const expiry = key.expires_at === null ? null : expiryText(key.expires_at, nowMs)
  const sharedWith = among.filter(({ id }) => key.shares_quota_with.includes(id))
  return (
    <>
      {key.state === 'active' ? (
        <Badge tone="good">active</Badge>
      ) : (
        <>
          <Badge tone="warn">ending</Badge> <Time value={key.revoked_at} />
        </>
      )}
      {expiry && key.state === 'active' && (
        <>
          {' '}
          <span title={key.expires_at ?? undefined}>
            {expiry.isSoon ? <Badge tone="warn">{expiry.text}</Badge> : expiry.text}
          </span>
        </>
      )}
      {key.scope === 'prices' && <p className="hint">Prices only</p>}
      {sharedWith.length > 0 && (
        <p className="hint">One quota with {sharedWith.map(({ last_four }) => `…${last_four}`).join(', ')}</p>
      )}
    </>
  )
}
