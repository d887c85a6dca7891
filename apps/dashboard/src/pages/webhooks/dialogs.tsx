import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { DialogForm, FormDialog } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { confirming } from '../../components/Toast.tsx'
import { FilterFields } from './FilterFields.tsx'
import { SecretChoice, SecretShown } from './secret-parts.tsx'
import { UrlField } from './UrlField.tsx'
import { eventWords, noFilter } from './words.ts'

type Event = Schemas['WebhookEvent']

export interface WebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
}

/** Asks for the address of alerts, then shows the secret and leads to the page with the test. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [filter, setFilter] = useState(noFilter)
  const [events, setEvents] = useState<Event[]>(['change.alert'])
  const [secret, setSecret] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const { data, error, isPending, mutate } = useAction('POST /webhooks')

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
        onSend={() => mutate({ body: { name, url, events, filter, ...(secret !== null && { secret }) } })}
        onClose={onClose}
      >
        <UrlField value={url} onChange={setUrl} />
        <NameField value={name} onChange={setName} />
        <EventsField value={events} onChange={setEvents} />
        <details className="fold">
          <summary>Only some changes</summary>
          <div className="stack">
            <FilterFields value={filter} onChange={setFilter} />
          </div>
        </details>
        <SecretChoice value={secret} onChange={setSecret} />
      </DialogForm>
    </Dialog>
  )
}

export function ChangeWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [name, setName] = useState(webhook.name ?? '')
  const [url, setUrl] = useState(webhook.url)
  const [events, setEvents] = useState(webhook.events)
  const { error, isPending, mutate } = useAction('PATCH /webhooks/{id}')
  const done = confirming('The webhook is changed.', onClose)
  return (
    <FormDialog
      title="Change the webhook"
      action="Save"
      busy={isPending}
      error={error}
      onSend={() =>
        mutate(
          { path: { id: webhook.id }, body: { name, ...(url !== webhook.url && { url }), events } },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <UrlField value={url} onChange={setUrl} />
      <NameField value={name} onChange={setName} />
      <EventsField value={events} onChange={setEvents} />
    </FormDialog>
  )
}

export function DeleteWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const { error, isPending, mutate } = useAction('DELETE /webhooks/{id}', { waits: false })
  const [, navigate] = useLocation()
  const done = confirming('The webhook is deleted.', () => navigate('/webhooks'))
  return (
    <FormDialog
      title="Delete the webhook?"
      action="Delete"
      kind="danger"
      cancel="Keep it"
      busy={isPending}
      error={error}
      onSend={() => mutate({ path: { id: webhook.id } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <code>{webhook.url}</code>, and what is queued for it is cancelled. This
        cannot be undone; switching it off can.
      </p>
    </FormDialog>
  )
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <Field
      label="Name (optional)"
      hint="Left empty, it goes by its address."
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      maxLength={100}
    />
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
