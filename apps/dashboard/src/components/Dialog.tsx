import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'

export interface DialogProps {
  title: string
  /** A wide dialog has room for a table. It is read from its top: its heading has the focus. */
  size?: 'wide'
  /** Whether a press beside it closes it, as one that shows something only once must not. Left out: a wide one. */
  closesOutside?: boolean
  onClose: () => void
  children: ReactNode
}

/** The browser's own modal dialog. It keeps the focus, closes with Escape and restores the focus. */
export function Dialog({ title, size, closesOutside = size === 'wide', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The dialog is closed before it leaves the document. Otherwise the browser does not restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className="dialog"
      data-size={size}
      aria-labelledby={id}
      onMouseDown={({ target, currentTarget }) => {
        if (closesOutside && target === currentTarget && !hasTyped(currentTarget)) onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="stack">
        {/* React's own property focuses at once, and not when the dialog is shown. */}
        <h2 id={id} tabIndex={-1} {...(size === 'wide' && { autofocus: '' })}>
          {title}
        </h2>
        {children}
      </div>
      {/* The last one, so that the first field has the focus. */}
      <button type="button" className="icon-button dialog-close" onClick={onClose}>
        <X aria-hidden="true" />
        <span className="visually-hidden">Dismiss</span>
      </button>
    </dialog>
  )
}

/** Whether a dialog is open in which something is typed. */
export function isTyping(): boolean {
  return [...document.querySelectorAll<HTMLDialogElement>('dialog.dialog[open]')].some(hasTyped)
}

/** Whether something would be lost. */
function hasTyped(dialog: HTMLDialogElement): boolean {
  return [...dialog.querySelectorAll('input, textarea')].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.value !== field.defaultValue,
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}
