import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { confirming, toastOutcome } from '../../components/Toast.tsx'

type Member = Schemas['Member']

export function MemberTable({ members, me }: { members: readonly Member[]; me: Schemas['Me'] }) {
  const isOwner = me.account?.role === 'owner'
  const [leaving, setLeaving] = useState<Member | null>(null)
  const isLastOwner = (member: Member) =>
    member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
  return (
    <>
      <Table
        caption="Members of this account"
        rows={members}
        rowKey={({ user_id }) => user_id}
        columns={[
          {
            label: 'Name',
            cell: ({ name, user_id }) => (
              <>
                <bdi>{name}</bdi>
                {user_id === me.user.id && <span className="hint"> (you)</span>}
              </>
            ),
          },
          { label: 'E-mail', cell: ({ email }) => <span className="email">{email}</span> },
          { label: 'Role', cell: ({ role }) => role },
          { label: 'Since', cell: ({ joined_at }) => <Time value={joined_at} /> },
          {
            label: 'Actions',
            cell: (member) => {
              const isMe = member.user_id === me.user.id
              if (isLastOwner(member)) return <span className="hint">the only owner</span>
              if (!isOwner && !isMe) return <span className="hint">–</span>
              return (
                <span className="row">
                  {isOwner && <RoleButton member={member} />}
                  <Button size="small" kind="danger" onClick={() => setLeaving(member)}>
                    {isMe ? 'Leave' : 'Remove'}
                    {!isMe && <span className="visually-hidden"> {member.name}</span>}
                  </Button>
                </span>
              )
            },
          },
        ]}
      />
      {leaving && <RemoveDialog member={leaving} me={me} onClose={() => setLeaving(null)} />}
    </>
  )
}

function RoleButton({ member: { user_id: id, name, role } }: { member: Member }) {
  const { isPending, mutate } = useAction('PATCH /members/{id}')
  const next = role === 'owner' ? 'member' : 'owner'
  const inWords = next === 'owner' ? 'an owner' : 'a member'
  return (
    <Button
      size="small"
      busy={isPending}
      onClick={() =>
        mutate({ path: { id }, body: { role: next } }, toastOutcome(`${name} is ${inWords} now.`))
      }
    >
      Make {inWords}
      <span className="visually-hidden">: {name}</span>
    </Button>
  )
}

interface RemoveDialogProps {
  member: Member
  me: Schemas['Me']
  onClose: () => void
}

function RemoveDialog({ member, me, onClose }: RemoveDialogProps) {
  const { error, isPending, mutate } = useAction('DELETE /members/{id}')
  const isMe = member.user_id === me.user.id
  const accountName = me.account?.name ?? ''
  const done = confirming(
    isMe ? `You left ${accountName}.` : `${member.name} is no member any more.`,
    onClose,
  )
  return (
    <FormDialog
      title={isMe ? `Leave ${accountName}?` : `Remove ${member.name}?`}
      action={isMe ? 'Leave' : 'Remove'}
      kind="danger"
      busy={isPending}
      error={error}
      onSend={() => mutate({ path: { id: member.user_id } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        {isMe
          ? 'You see nothing of this account from then on. Only an owner can invite you again.'
          : `${member.email} sees nothing of this account from the next request on. Keys that were made here go on working: revoke those they know.`}
      </p>
    </FormDialog>
  )
}
