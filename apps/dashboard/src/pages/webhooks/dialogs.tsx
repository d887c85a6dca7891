import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useCreateWebhook, useDeleteWebhook, useRotateSecret, useUpdateWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { DialogForm, FormDialog } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { toast } from '../../components/Toast.tsx'
import { UrlField } from './UrlField.tsx'
import { eventWords } from './words.ts'

type Event = Schemas['WebhookEvent']

interface WebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
}

/** Asks for the address of alerts, then shows the secret and leads to the page with the test. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<Event[]>(['change.alert'])
  const [secret, setSecret] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const { data, error, isPending, mutate } = useCreateWebhook()

  if (data) {
    const toItsPage = () => navigate(`/webhooks/${data.record.id}`)
    return (
      <Dialog title="The webhook is added" onClose={toItsPage}>
        <SecretShown secret={secret === null ? data.secret : null} onDone={toItsPage} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a webhook" onClose={onClose}>
      <DialogForm
        action="Add"
        busy={isPending}
        error={error}
        onSend={() => mutate({ url, events, ...(secret !== null && { secret }) })}
        onClose={onClose}
      >
        <UrlField value={url} onChange={setUrl} />
        <EventsField value={events} onChange={setEvents} />
        <SecretChoice value={secret} onChange={setSecret} />
      </DialogForm>
    </Dialog>
  )
}

export function ChangeWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [url, setUrl] = useState(webhook.url)
  const [events, setEvents] = useState(webhook.events)
  const { error, isPending, mutate } = useUpdateWebhook(webhook.id)
  const done = () => {
    toast('The webhook is changed.')
    onClose()
  }
  return (
    <FormDialog
      title="Change the webhook"
      action="Save"
      busy={isPending}
      error={error}
      onSend={() => mutate({ ...(url !== webhook.url && { url }), events }, { onSuccess: done })}
      onClose={onClose}
    >
      <UrlField value={url} onChange={setUrl} />
      <EventsField value={events} onChange={setEvents} />
    </FormDialog>
  )
}

/** Replaces the secret. The old one ends at once, so the dialog says how to lose no delivery. */
export function RotateSecretDialog({ webhook, onClose }: WebhookDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const { data, error, isPending, mutate } = useRotateSecret(webhook.id)

  if (data) {
    return (
      <Dialog title="The secret is replaced" onClose={onClose}>
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
        onSend={() => mutate(secret === null ? {} : { secret })}
        onClose={onClose}
      >
        <p>
          Everything is signed with the new secret from the next attempt on. To refuse nothing in between,
          choose your own secret, let your endpoint accept both with{' '}
          <code>secrets: [newSecret, oldSecret]</code>, and replace it then. What is refused meanwhile is
          tried again.
        </p>
        <SecretChoice value={secret} onChange={setSecret} />
      </DialogForm>
    </Dialog>
  )
}

export function DeleteWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const { error, isPending, mutate } = useDeleteWebhook(webhook.id)
  const [, navigate] = useLocation()
  const done = () => {
    toast('The webhook is deleted.')
    navigate('/webhooks')
  }
  return (
    <FormDialog
      title="Delete the webhook?"
      action="Delete"
      kind="danger"
      cancel="Keep it"
      busy={isPending}
      error={error}
      onSend={() => mutate(undefined, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <code>{webhook.url}</code>, and what is queued for it is cancelled. This
        cannot be undone; switching it off can.
      </p>
    </FormDialog>
  )
}

const eventOptions = Object.entries(eventWords).map(([value, label]) => ({ value, label }))

interface EventsFieldProps {
  value: readonly Event[]
  onChange: (events: Event[]) => void
}

/** A choice of one. Several that were listed by the API are shown, and stay until another is chosen. */
function EventsField({ value, onChange }: EventsFieldProps) {
  return (
    <SelectField
      label="Events"
      value={value.includes('*') ? '*' : value.join(', ')}
      onChange={(event) => onChange([event as Event])}
      options={eventOptions}
    />
  )
}

interface SecretChoiceProps {
  /** The user's own secret; null: the server makes one. */
  value: string | null
  onChange: (secret: string | null) => void
}

/** Whether the server makes the secret or the user provides one. */
function SecretChoice({ value, onChange }: SecretChoiceProps) {
  const name = useId()
  return (
    <fieldset className="choice">
      <legend>Secret</legend>
      <label>
        <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
        Make one, and show it once
      </label>
      <label>
        <input type="radio" name={name} checked={value !== null} onChange={() => onChange('')} />
        Use one of my own
      </label>
      {value !== null && (
        <Field
          label="Your secret"
          type="password"
          autoComplete="off"
          hint="16 to 512 characters. Your endpoint checks signatures with it."
          value={value}
          onChange={(event) => onChange(event.target.value)}
          required
          minLength={16}
          maxLength={512}
        />
      )}
    </fieldset>
  )
}

/**
 * The last step of a dialog: shows the secret, which is never shown again.
 * @param secret null: the user provided it
 */
function SecretShown({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  return (
    <>
      {secret === null ? (
        <p>Your own secret is set. It is kept encrypted and never shown.</p>
      ) : (
        <>
          <p>
            Copy the secret now, into <code>RATECARD_WEBHOOK_SECRET</code> of your program: it is not shown
            again.
          </p>
          <p>
            <code>{secret}</code>
          </p>
        </>
      )}
      <DialogActions>
        {secret !== null && <CopyButton text={secret} what="secret" />}
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}
