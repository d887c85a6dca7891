import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'

export interface DialogProps {
  title: string
  /** A wide dialog has room for a table. It is read from its top: its heading has the focus. */
  size?: 'wide'
  onClose: () => void
  children: ReactNode
}

/** The browser's own modal dialog. It keeps the focus, closes with Escape and restores the focus. */
export function Dialog({ title, size, onClose, children }: DialogProps) {
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
    </dialog>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}
