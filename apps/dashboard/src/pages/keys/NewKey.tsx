import type { Schemas } from '../../../contract/index.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'

export interface NewKeyProps {
  made: Schemas['NewKey']
  /** Further notes on the key. */
  about?: string
  onClose: () => void
}

/** The new key. It is shown only here. */
export function NewKey({ made: { key, record }, about, onClose }: NewKeyProps) {
  // The command does not contain the key, because a shell keeps its history.
  const tryIt = `curl "${location.origin}/v1/prices?limit=1" -H "Authorization: Bearer $RATECARD_KEY"`
  return (
    <Dialog title={`The key “${record.name}”`} onClose={onClose}>
      <p>Copy it now: it is not shown again.{about && ` ${about}`}</p>
      <p>
        <code className="new-key">{key}</code>
      </p>
      <p className="hint">
        With the key in the variable RATECARD_KEY, this is a first request:
        <br />
        <code>{tryIt}</code>
      </p>
      <DialogActions>
        <CopyButton text={tryIt} what="request" />
        <CopyButton text={key} what="key" />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
