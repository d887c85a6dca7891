import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'

export interface KeyNameFormProps {
  initial?: string
  action: string
  busy: boolean
  error: Error | null
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a key. */
export function KeyNameForm({ initial = '', action, busy, error, onSubmit, onClose }: KeyNameFormProps) {
  const [name, setName] = useState(initial)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(name.trim())
      }}
    >
      <Field
        label="Name"
        hint="What uses it, such as “CI pipeline”."
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error?.message ?? null}
        required
        maxLength={100}
        autoFocus
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
