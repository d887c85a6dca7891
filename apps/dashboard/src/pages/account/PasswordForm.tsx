import { Field } from '../../components/Field.tsx'
import { DialogForm, type DialogFormProps } from '../../components/FormDialog.tsx'

export interface PasswordFormProps extends Omit<DialogFormProps, 'onSend'> {
  onSend: (password: string) => void
}

/** Asks in a dialog for the present password, to confirm an action. */
export function PasswordForm({ error, onSend, children, ...form }: PasswordFormProps) {
  return (
    <DialogForm {...form} onSend={({ password = '' }) => onSend(password)}>
      {children}
      <Field
        label="Current password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={error?.message ?? null}
        required
        minLength={12}
        maxLength={128}
      />
    </DialogForm>
  )
}
