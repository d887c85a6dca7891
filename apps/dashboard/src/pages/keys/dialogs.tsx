import { formatNumber } from '@ratecard/contract/wording'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Field, notBlank } from '../../components/Field.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { Time } from '../../components/Time.tsx'
import { confirming, toast } from '../../components/Toast.tsx'
import { useExpiry } from './ExpiryFields.tsx'

interface KeyDialogProps {
  of: Schemas['Key']
  onClose: () => void
}

const scopes = [
  { value: 'all', label: 'Everything your plan includes' },
  { value: 'prices', label: 'Prices only' },
] as const

/** Asks for a name, an end and a scope, then shows the key. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate } = useAction('POST /keys')
  const [scope, setScope] = useState<Schemas['KeyScope']>('all')
  const expiry = useExpiry('never')
  if (data) return <NewKey made={data} onClose={onClose} />
  return (
    <FormDialog
      title="Create a key"
      action="Create"
      busy={isPending}
      onSend={(values) =>
        mutate({ body: { name: (values.name ?? '').trim(), scope, expires_at: expiry.read(values) } })
      }
      onClose={onClose}
    >
      <NameField error={error} />
      {expiry.fields}
      <div className="stack-tight">
        <SelectField
          label="Scope"
          value={scope}
          onChange={(value) => setScope(value === 'prices' ? 'prices' : 'all')}
          options={scopes}
        />
        {scope === 'prices' && (
          <p className="hint">GET /v1/prices and GET /v1/usage only; anything else returns 403.</p>
        )}
      </div>
    </FormDialog>
  )
}

/** Sets when a key expires: sooner, later or never. */
export function ExpiryDialog({ of: key, onClose }: KeyDialogProps) {
  const { error, isPending, mutate } = useAction('POST /keys/{id}/expiry')
  const expiry = useExpiry(key.expires_at === null ? '90' : '30')
  const done = (changed: Schemas['Key']) => {
    toast(
      changed.expires_at === null
        ? `The key “${key.name}” no longer expires.`
        : `The key “${key.name}” now expires.`,
    )
    onClose()
  }
  return (
    <FormDialog
      title={`When “${key.name}” expires`}
      action="Save"
      busy={isPending}
      error={error}
      onSend={(values) =>
        mutate({ path: { id: key.id }, body: { expires_at: expiry.read(values) } }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <p>
        {key.expires_at === null ? (
          'It has no expiry yet.'
        ) : (
          <>
            It expires at <Time value={key.expires_at} />.
          </>
        )}{' '}
        An expired key is refused and cannot be extended.
      </p>
      {expiry.fields}
    </FormDialog>
  )
}

export function RenameKeyDialog({ of: key, onClose }: KeyDialogProps) {
  const { error, isPending, mutate } = useAction('PATCH /keys/{id}')
  const done = ({ name }: Schemas['Key']) => {
    toast(`Key renamed to “${name}”.`)
    onClose()
  }
  return (
    <FormDialog
      title={`Rename “${key.name}”`}
      action="Rename"
      busy={isPending}
      onSend={({ name = '' }) =>
        mutate({ path: { id: key.id }, body: { name: name.trim() } }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <NameField defaultValue={key.name} error={error} />
    </FormDialog>
  )
}

function NameField({ defaultValue, error }: { defaultValue?: string; error: Error | null }) {
  return (
    <Field
      label="Name"
      hint="e.g. “CI pipeline”"
      name="name"
      defaultValue={defaultValue}
      error={error?.message ?? null}
      required
      {...notBlank}
      maxLength={100}
    />
  )
}

const graces = [
  { value: '0', label: 'Immediately' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '21600', label: '6 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '24 hours' },
]

/** Asks how long the old key stays valid, then shows the new one. */
export function RotateKeyDialog({ of: key, onClose }: KeyDialogProps) {
  const [grace, setGrace] = useState('3600')
  const { data, error, isPending, mutate } = useAction('POST /keys/{id}/rotate')
  if (data) {
    const label = graces.find(({ value }) => value === grace)?.label ?? ''
    const about = grace === '0' ? 'The old key no longer works.' : `The old key keeps working for ${label}.`
    return <NewKey made={data} about={about} onClose={onClose} />
  }
  return (
    <FormDialog
      title={`Rotate “${key.name}”`}
      action="Rotate"
      busy={isPending}
      error={error}
      onSend={() => mutate({ path: { id: key.id }, body: { grace_seconds: Number(grace) } })}
      onClose={onClose}
    >
      <p>
        A new key replaces the one ending in <code>{key.last_four}</code>. Both count towards the same daily
        quota{key.scope === 'prices' && ', and the new one is for prices only too'}.
        {key.expires_at !== null && (
          <>
            {' '}
            The new one expires when the old one would have: <Time value={key.expires_at} />. You can change
            that afterwards.
          </>
        )}
      </p>
      <SelectField
        label="Keep the old key working for"
        value={grace}
        onChange={(value) => setGrace(value ?? '0')}
        options={graces}
      />
    </FormDialog>
  )
}

export function RevokeKeyDialog({ of: key, onClose }: KeyDialogProps) {
  const { error, isPending, mutate } = useAction('POST /keys/{id}/revoke')
  const done = confirming(`Key “${key.name}” revoked.`, onClose)
  return (
    <FormDialog
      title={`Revoke “${key.name}”?`}
      action="Revoke"
      kind="danger"
      busy={isPending}
      error={error}
      onSend={() => mutate({ path: { id: key.id } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        Requests with the key ending in <code>{key.last_four}</code> will fail immediately. This can’t be
        undone. To replace the key without downtime, rotate it instead.
      </p>
      <p>
        Last used: <Time value={key.last_used_at} />
      </p>
    </FormDialog>
  )
}

interface NewKeyProps {
  made: Schemas['NewKey']
  /** Further notes on the key. */
  about?: string
  onClose: () => void
}

/** The new key. It is shown only here. */
function NewKey({ made: { key, record }, about, onClose }: NewKeyProps) {
  // The command does not contain the key, because a shell keeps its history.
  const tryIt = `curl "${location.origin}/v1/prices?limit=1" -H "Authorization: Bearer $RATECARD_API_KEY"`
  return (
    <Dialog title={`The key “${record.name}”`} onClose={onClose}>
      <p>Copy it now: it won’t be shown again.{about && ` ${about}`}</p>
      {record.used_by_ended_today > 0 && (
        <p>
          It goes on with the daily quota of a key that ended today, so{' '}
          {formatNumber(record.used_by_ended_today)} requests are used already. At midnight UTC the quota
          starts again.
        </p>
      )}
      <p>
        <code className="new-key">{key}</code>
      </p>
      <p className="hint">
        With the key in the variable RATECARD_API_KEY, this is a first request:
        <br />
        <code>{tryIt}</code>
      </p>
      <DialogActions>
        <CopyButton text={tryIt} what="request" />
        <CopyButton text={key} what="key" />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
