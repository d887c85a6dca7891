import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useSession } from '../../api/me.ts'
import { ask } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { InvitationTable } from './InvitationTable.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { MemberTable } from './MemberTable.tsx'

export default function MembersPage() {
  const [isInviting, setInviting] = useState(false)
  const { data: me } = useSession()
  const isOwner = me?.account?.role === 'owner'
  return (
    <>
      <AccountHeader title="Members" about="Owners can also manage billing, members and the account name.">
        {isOwner && (
          <Button kind="primary" onClick={() => setInviting(true)}>
            Invite member
          </Button>
        )}
      </AccountHeader>
      {me && <Lists me={me} isOwner={isOwner} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

function Lists({ me, isOwner }: { me: Schemas['Me']; isOwner: boolean }) {
  const { data, error, refetch } = useQuery(ask('GET /members'))
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <>
      <MemberTable members={data.data} me={me} />
      <InvitationTable invitations={data.invitations} isOwner={isOwner} />
    </>
  )
}
