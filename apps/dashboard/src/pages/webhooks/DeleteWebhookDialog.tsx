import { useLocation } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useDeleteWebhook } from '../../api/webhooks.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { toast } from '../../components/Toast.tsx'

export interface DeleteWebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
}

export function DeleteWebhookDialog({ webhook, onClose }: DeleteWebhookDialogProps) {
  const remove = useDeleteWebhook(webhook.id)
  const [, navigate] = useLocation()
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast('The webhook is deleted.')
        navigate('/webhooks')
      },
    })
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      action="Delete"
      cancel="Keep it"
      error={remove.error}
      busy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <code>{webhook.url}</code>, and what is queued for it is cancelled. This
        cannot be undone; switching it off can.
      </p>
    </ConfirmDialog>
  )
}
