import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { DialogActions } from '../../components/Dialog.tsx'

export interface SecretShownProps {
  /** Null: the user provided the secret. */
  secret: string | null
  onDone: () => void
}

/** The last step of a dialog: shows the secret, which is never shown again. */
export function SecretShown({ secret, onDone }: SecretShownProps) {
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
