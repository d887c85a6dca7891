import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { Form, type FormProps } from './Form.tsx'
import { FormError } from './FormError.tsx'

export interface DialogFormProps {
  /** The action in a word: the label of the button. */
  action: string
  /** `danger`: the action cannot be undone. */
  kind?: 'primary' | 'danger'
  cancel?: string
  busy: boolean
  /** Why the form was not accepted, unless a field says it. */
  error?: Error | null
  onSend: FormProps['onSend']
  onClose: () => void
  /** The fields, or the consequences. */
  children: ReactNode
}

/** A dialog that asks for something or for a confirmation. The first field has the focus, or else the way back. */
export function FormDialog({ title, ...form }: DialogFormProps & { title: string }) {
  return (
    <Dialog title={title} closesOutside={!form.busy} onClose={form.onClose}>
      <DialogForm {...form} />
    </Dialog>
  )
}

/** The form alone, for a dialog with a second step. */
export function DialogForm({
  action,
  kind = 'primary',
  cancel = 'Cancel',
  busy,
  error = null,
  onSend,
  onClose,
  children,
}: DialogFormProps) {
  return (
    <Form onSend={onSend}>
      {children}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button type="submit" kind={kind} busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </Form>
  )
}
