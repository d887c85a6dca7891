import { useState } from 'react'
import { useAction } from '../../api/queries.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { DialogForm } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { Time } from '../../components/Time.tsx'
import type { WebhookDialogProps } from './dialogs.tsx'
import { SecretChoice, SecretShown } from './secret-parts.tsx'

const overlaps = [
  { value: '86400', label: 'In 24 hours' },
  { value: '3600', label: 'In 1 hour' },
  { value: '0', label: 'At once: the old one has leaked' },
]

/** Replaces the secret. The old one signs on for a while, so that no delivery is refused. */
export function RotateSecretDialog({ webhook, onClose }: WebhookDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const [overlap, setOverlap] = useState('86400')
  const { data, error, isPending, mutate } = useAction('POST /webhooks/{id}/secret')

  if (data) {
    const from = data.record.next_secret_at
    return (
      <Dialog title="The secret is replaced" onClose={onClose}>
        {from !== null && (
          <p>
            It signs from <Time value={from} /> on. Let your endpoint accept both until then:{' '}
            <code>secrets: [newSecret, oldSecret]</code>.
          </p>
        )}
        <SecretShown secret={secret === null ? data.secret : null} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Replace the secret" onClose={onClose}>
      <DialogForm
        action="Replace"
        busy={isPending}
        error={error}
        onSend={() =>
          mutate({
            path: { id: webhook.id },
            body: { overlap_seconds: Number(overlap), ...(secret !== null && { secret }) },
          })
        }
        onClose={onClose}
      >
        <p>
          You get the new secret now. The old one signs until the new one takes its place, so there is time to
          bring it to your endpoint.
        </p>
        <SelectField
          label="The new secret signs"
          value={overlap}
          onChange={(value) => setOverlap(value ?? '0')}
          options={overlaps}
        />
        <SecretChoice value={secret} onChange={setSecret} />
      </DialogForm>
    </Dialog>
  )
}
