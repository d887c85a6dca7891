import { useCreateKey } from '../../api/keys.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { KeyNameForm } from './KeyNameForm.tsx'
import { NewKey } from './NewKey.tsx'

/** Asks for a name, then shows the key. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate } = useCreateKey()
  if (data) return <NewKey made={data} onClose={onClose} />
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <KeyNameForm action="Create" busy={isPending} error={error} onSubmit={mutate} onClose={onClose} />
    </Dialog>
  )
}
