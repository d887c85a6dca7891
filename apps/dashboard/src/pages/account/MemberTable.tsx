import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useChangeRole } from '../../api/account.ts'
import { Button } from '../../components/Button.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'

type Member = Schemas['Member']

export interface MemberTableProps {
  members: readonly Member[]
  me: Schemas['Me']
  isOwner: boolean
}

export function MemberTable({ members, me, isOwner }: MemberTableProps) {
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
                {name}
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
      {leaving && (
        <RemoveMemberDialog
          member={leaving}
          isMe={leaving.user_id === me.user.id}
          accountName={me.account?.name ?? ''}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

function RoleButton({ member: { user_id, name, role } }: { member: Member }) {
  const { isPending, mutate } = useChangeRole()
  const next = role === 'owner' ? 'member' : 'owner'
  return (
    <Button
      size="small"
      busy={isPending}
      onClick={() =>
        mutate(
          { id: user_id, role: next },
          {
            onSuccess: () => toast(`${name} is ${next === 'owner' ? 'an owner' : 'a member'} now.`),
            onError: (error) => toast(error.message),
          },
        )
      }
    >
      Make<span className="visually-hidden"> {name}</span> {next === 'owner' ? 'an owner' : 'a member'}
    </Button>
  )
}
