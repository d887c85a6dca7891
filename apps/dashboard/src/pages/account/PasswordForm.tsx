import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'

export interface PasswordFormProps {
  action: string
  kind: 'primary' | 'danger'
  error: Error | null
  busy: boolean
  onSend: (password: string) => void
  onClose: () => void
  /** The consequences. */
  children: ReactNode
}

/** Asks in a dialog for the present password, to confirm an action. */
export function PasswordForm({ action, kind, error, busy, onSend, onClose, children }: PasswordFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSend(new FormData(event.currentTarget).get('password') as string)
      }}
    >
      {children}
      <Field
        label="Present password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={error?.message ?? null}
        autoFocus
        required
        minLength={12}
        maxLength={128}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind={kind} busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
