import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { FormError } from './FormError.tsx'

export interface ConfirmDialogProps {
  /** The question. */
  title: string
  /** The action in a word: the label of the button. */
  action: string
  cancel?: string
  error: Error | null
  busy: boolean
  onConfirm: () => void
  onClose: () => void
  /** The consequences. */
  children: ReactNode
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  action,
  cancel = 'Cancel',
  error,
  busy,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {cancel}
        </Button>
        <Button kind="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
