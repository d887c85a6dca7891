import { Field } from '../../components/Field.tsx'
import { DialogForm, type DialogFormProps } from '../../components/FormDialog.tsx'

export interface PasswordFormProps extends Omit<DialogFormProps, 'onSend'> {
  /** Whether a code of the second factor is asked for as well. */
  asksCode?: boolean
  onSend: (password: string, code: string) => void
}

/** Asks in a dialog for the present password, to confirm an action. */
export function PasswordForm({ error, asksCode = false, onSend, children, ...form }: PasswordFormProps) {
  return (
    <DialogForm {...form} onSend={({ password = '', code = '' }) => onSend(password, code.trim())}>
      {children}
      <Field
        label="Current password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={asksCode ? null : (error?.message ?? null)}
        required
        minLength={12}
        maxLength={128}
      />
      {asksCode && (
        <Field
          label="Code"
          name="code"
          hint="Of your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          error={error?.message ?? null}
          required
          minLength={6}
          maxLength={32}
        />
      )}
    </DialogForm>
  )
}
