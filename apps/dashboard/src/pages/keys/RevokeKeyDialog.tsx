import type { Schemas } from '../../../contract/index.ts'
import { useRevokeKey } from '../../api/keys.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'

export function RevokeKeyDialog({ of: key, onClose }: { of: Schemas['Key']; onClose: () => void }) {
  const { error, isPending, mutate } = useRevokeKey(key.id)
  const revoke = () =>
    mutate(undefined, {
      onSuccess: () => {
        toast(`The key “${key.name}” is revoked.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Revoke “${key.name}”?`}
      action="Revoke"
      error={error}
      busy={isPending}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        Every program with the key that ends in <code>{key.last_four}</code> is refused from its next request
        on, for good. To put another key in its place first, rotate it.
      </p>
      <p>
        Last used: <Time value={key.last_used_at} />
      </p>
    </ConfirmDialog>
  )
}
