import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useInvite } from '../../api/account.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { toast } from '../../components/Toast.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Schemas['Role']>('member')
  const { error, isPending, mutate } = useInvite()
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate(
            { email: email.trim(), role },
            {
              onSuccess: () => {
                toast(`A link is on its way to ${email.trim()}.`)
                onClose()
              },
            },
          )
        }}
      >
        <Field
          label="E-mail address"
          hint="They sign in, or sign up, with this address. Without mail set up, the link is in the server’s log."
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={error?.message ?? null}
          required
          maxLength={254}
          autoFocus
        />
        <SelectField
          label="Role"
          value={role}
          onChange={(value) => setRole(value === 'owner' ? 'owner' : 'member')}
          options={[
            { value: 'member', label: 'Member: keys, webhooks, usage' },
            { value: 'owner', label: 'Owner: billing and members too' },
          ]}
          none={null}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            Invite
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
