import { useQuery } from '@tanstack/react-query'
import { callData } from '../../api/client.ts'
import { nextPath } from './next.ts'
import { readToken } from './token.ts'

/** Whether the page to continue to is an invitation's: its token is behind the `#` of this address too. */
export const isInvited = () => nextPath().startsWith('/accept-invitation')

/** Says by whom, to what and as what the holder of an invitation is invited. Nothing where it does not hold. */
export function Invited({ token = isInvited() ? readToken() : '' }: { token?: string }) {
  const { data: invitation } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => callData('POST /invitation-check', { body: { token } }),
    enabled: token !== '',
    staleTime: 'static',
    retry: false,
  })
  if (!invitation) return null
  const { account, invited_by: inviter, role } = invitation
  return (
    <p>
      {inviter ?? 'The operator of this server'} invites you to join <strong>{account}</strong> as{' '}
      {role === 'owner' ? 'an owner' : 'a member'}.
    </p>
  )
}
