import type { Schemas } from '../../../contract/index.ts'
import { useRemoveMember } from '../../api/account.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { toast } from '../../components/Toast.tsx'

export interface RemoveMemberDialogProps {
  member: Schemas['Member']
  isMe: boolean
  accountName: string
  onClose: () => void
}

export function RemoveMemberDialog({ member, isMe, accountName, onClose }: RemoveMemberDialogProps) {
  const { error, isPending, mutate } = useRemoveMember()
  const remove = () =>
    mutate(member.user_id, {
      onSuccess: () => {
        toast(isMe ? `You left ${accountName}.` : `${member.name} is no member any more.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${accountName}?` : `Remove ${member.name}?`}
      action={isMe ? 'Leave' : 'Remove'}
      error={error}
      busy={isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {isMe
          ? 'You see nothing of this account from then on. Only an owner can invite you again.'
          : `${member.email} sees nothing of this account from the next request on. Keys that were made here go on working: revoke those they know.`}
      </p>
    </ConfirmDialog>
  )
}
