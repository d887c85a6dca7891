import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useUpdateWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { useToast } from '../../components/Toast.tsx'
import { EventsField } from './EventsField.tsx'
import { UrlField } from './UrlField.tsx'

export interface ChangeWebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
}

export function ChangeWebhookDialog({ webhook, onClose }: ChangeWebhookDialogProps) {
  const [url, setUrl] = useState(webhook.url)
  const [events, setEvents] = useState(webhook.events)
  const update = useUpdateWebhook(webhook.id)
  const toast = useToast()
  const save = () => {
    const changes = { ...(url !== webhook.url && { url }), events }
    update.mutate(changes, {
      onSuccess: () => {
        toast('The webhook is changed.')
        onClose()
      },
    })
  }
  return (
    <Dialog title="Change the webhook" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(submission) => {
          submission.preventDefault()
          save()
        }}
      >
        <UrlField value={url} onChange={setUrl} error={null} />
        <EventsField value={events} onChange={setEvents} />
        <p className="form-error" role="alert">
          {update.error?.message}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={update.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
