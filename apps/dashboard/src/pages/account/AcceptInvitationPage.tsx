import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useLookAt } from '../../api/account.ts'
import { useSession } from '../../api/me.ts'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState } from '../../components/states.tsx'
import { toast } from '../../components/Toast.tsx'
import { Invited } from '../auth/Invited.tsx'
import { readToken } from '../auth/token.ts'

/** The target of the link in an invitation. */
export default function AcceptInvitationPage() {
  const [token] = useState(readToken)
  const { data: me } = useSession()
  const { error, isPending, mutate } = useLookAt('POST /accept-invitation')
  const [, navigate] = useLocation()
  const accept = () =>
    mutate(
      { body: { token } },
      {
        onSuccess: ({ account }) => {
          if (account)
            toast(`You are ${account.role === 'owner' ? 'an owner' : 'a member'} of ${account.name}.`)
          navigate('/account', { replace: true })
        },
      },
    )
  return (
    <>
      <PageHeader title="Join an account" />
      {token === '' ? (
        <EmptyState title="There is no invitation in this address">
          <p>Follow the link in the mail, or copy all of it.</p>
          <Link href="/account">Go to your account</Link>
        </EmptyState>
      ) : (
        <>
          <Invited token={token} />
          <p>
            You are signed in as {me?.user.email}. Accept, and you see and use that account too; yours stays.
          </p>
          <FormError error={error} />
          <div>
            <Button kind="primary" busy={isPending} onClick={accept}>
              Accept the invitation
            </Button>
          </div>
        </>
      )}
    </>
  )
}
