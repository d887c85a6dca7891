import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Field } from '../../components/Field.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { confirming } from '../../components/Toast.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Schemas['Role']>('member')
  const { error, isPending, mutate } = useAction('POST /invitations')
  const invite = (email: string) => {
    const onSuccess = confirming(`A link is on its way to ${email}.`, onClose)
    mutate({ body: { email, role } }, { onSuccess })
  }
  return (
    <FormDialog
      title="Invite member"
      action="Invite"
      busy={isPending}
      onSend={({ email = '' }) => invite(email.trim())}
      onClose={onClose}
    >
      <Field
        label="E-mail address"
        hint="They sign in, or sign up, with this address. Without mail set up, the link is in the server’s log."
        name="email"
        type="email"
        error={error?.message ?? null}
        required
        maxLength={254}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={(value) => setRole(value === 'owner' ? 'owner' : 'member')}
        options={[
          { value: 'member', label: 'Member: keys, webhooks, usage' },
          { value: 'owner', label: 'Owner: billing and members too' },
        ]}
      />
    </FormDialog>
  )
}
