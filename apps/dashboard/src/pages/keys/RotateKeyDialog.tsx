import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useRotateKey } from '../../api/keys.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { FormError } from '../../components/FormError.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { NewKey } from './NewKey.tsx'

const graces = [
  { value: '0', label: 'Not at all: it is refused at once' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '21600', label: '6 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '24 hours' },
]

/** Asks how long the old key stays valid, then shows the new one. */
export function RotateKeyDialog({ of: key, onClose }: { of: Schemas['Key']; onClose: () => void }) {
  const [grace, setGrace] = useState('3600')
  const { data, error, isPending, mutate } = useRotateKey(key.id)
  if (data) {
    const label = graces.find(({ value }) => value === grace)?.label ?? ''
    const about =
      grace === '0' ? 'The old key is refused from now on.' : `The old key goes on working for ${label}.`
    return <NewKey made={data} about={about} onClose={onClose} />
  }
  return (
    <Dialog title={`Rotate “${key.name}”`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate(Number(grace))
        }}
      >
        <p>
          A new key takes the place of the one that ends in <code>{key.last_four}</code>. Both count on the
          same daily quota.
        </p>
        <SelectField
          label="How long the old key goes on working"
          value={grace}
          onChange={(value) => setGrace(value ?? '0')}
          options={graces}
          none={null}
        />
        <FormError error={error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            Rotate
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
