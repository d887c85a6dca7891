import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useCreateWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { EventsField } from './EventsField.tsx'
import { SecretChoice } from './SecretChoice.tsx'
import { SecretShown } from './SecretShown.tsx'
import { UrlField } from './UrlField.tsx'

/** Asks for the address of alerts, then shows the secret and leads to the page with the test. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<Schemas['WebhookEvent'][]>(['change.alert'])
  const [secret, setSecret] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const create = useCreateWebhook()

  if (create.data) {
    const { secret: made, record } = create.data
    const toItsPage = () => navigate(`/webhooks/${record.id}`)
    return (
      <Dialog title="The webhook is added" onClose={toItsPage}>
        <SecretShown secret={secret === null ? made : null} onDone={toItsPage} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a webhook" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(submission) => {
          submission.preventDefault()
          create.mutate({ url, events, ...(secret !== null && { secret }) })
        }}
      >
        <UrlField value={url} onChange={setUrl} error={null} />
        <EventsField value={events} onChange={setEvents} />
        <SecretChoice value={secret} onChange={setSecret} />
        <p className="form-error" role="alert">
          {create.error?.message}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
