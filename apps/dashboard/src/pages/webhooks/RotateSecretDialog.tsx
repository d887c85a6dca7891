import { useState } from 'react'
import { useRotateSecret } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { SecretChoice } from './SecretChoice.tsx'
import { SecretShown } from './SecretShown.tsx'

/** Replaces the secret. The old one ends at once, so the dialog says how to lose no delivery. */
export function RotateSecretDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useRotateSecret(id)

  if (rotate.data) {
    return (
      <Dialog title="The secret is replaced" onClose={onClose}>
        <SecretShown secret={secret === null ? rotate.data.secret : null} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Replace the secret" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(submission) => {
          submission.preventDefault()
          rotate.mutate(secret === null ? {} : { secret })
        }}
      >
        <p>
          Everything is signed with the new secret from the next attempt on. To refuse nothing in between,
          choose your own secret, let your endpoint accept both with{' '}
          <code>secrets: [newSecret, oldSecret]</code>, and replace it then. What is refused meanwhile is
          tried again.
        </p>
        <SecretChoice value={secret} onChange={setSecret} />
        <p className="form-error" role="alert">
          {rotate.error?.message}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={rotate.isPending}>
            Replace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
