import { useState } from 'react'
import { useCreateKey } from '../../api/keys.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'

/** Asks for a name, then shows the key: the only time that anybody sees it. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const create = useCreateKey()

  if (create.data) {
    const { key, record } = create.data
    return (
      <Dialog title={`The key “${record.name}”`} onClose={onClose}>
        <p>Copy it now: it is not shown again.</p>
        <p>
          <code>{key}</code>
        </p>
        <DialogActions>
          <CopyButton text={key} what="key" />
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(name.trim())
        }}
      >
        <Field
          label="Name"
          hint="What uses it, such as “CI pipeline”."
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={create.error?.message ?? null}
          required
          maxLength={100}
          autoFocus
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
