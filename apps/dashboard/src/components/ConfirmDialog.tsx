import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { FormError } from './FormError.tsx'

export interface ConfirmDialogProps {
  /** The question. */
  title: string
  /** What it does, in a word: what the button says. */
  action: string
  cancel?: string
  error: Error | null
  busy: boolean
  onConfirm: () => void
  onClose: () => void
  /** What follows from it. */
  children: ReactNode
}

/** Asks once more before something that cannot be undone. */
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
