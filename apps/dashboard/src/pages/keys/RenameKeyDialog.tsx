import type { Schemas } from '../../../contract/index.ts'
import { useRenameKey } from '../../api/keys.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { toast } from '../../components/Toast.tsx'
import { KeyNameForm } from './KeyNameForm.tsx'

export function RenameKeyDialog({ of: key, onClose }: { of: Schemas['Key']; onClose: () => void }) {
  const { error, isPending, mutate } = useRenameKey(key.id)
  const rename = (name: string) =>
    mutate(name, {
      onSuccess: () => {
        toast(`The key is called “${name}” now.`)
        onClose()
      },
    })
  return (
    <Dialog title={`Rename “${key.name}”`} onClose={onClose}>
      <KeyNameForm
        initial={key.name}
        action="Rename"
        busy={isPending}
        error={error}
        onSubmit={rename}
        onClose={onClose}
      />
    </Dialog>
  )
}
