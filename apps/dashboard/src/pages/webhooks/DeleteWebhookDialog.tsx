import { useLocation } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useDeleteWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { useToast } from '../../components/Toast.tsx'

export interface DeleteWebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
}

export function DeleteWebhookDialog({ webhook, onClose }: DeleteWebhookDialogProps) {
  const remove = useDeleteWebhook(webhook.id)
  const toast = useToast()
  const [, navigate] = useLocation()
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast('The webhook is deleted.')
        navigate('/webhooks')
      },
    })
  return (
    <Dialog title="Delete the webhook?" onClose={onClose}>
      <p>
        Nothing more is sent to <code>{webhook.url}</code>, and what is queued for it is cancelled. This
        cannot be undone; switching it off can.
      </p>
      <p className="form-error" role="alert">
        {remove.error?.message}
      </p>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          Keep it
        </Button>
        <Button kind="danger" onClick={confirm} busy={remove.isPending}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
