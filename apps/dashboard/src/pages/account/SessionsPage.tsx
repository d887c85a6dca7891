import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useEndSessions, useRevokeSession, useSessions } from '../../api/account.ts'
import { useSession } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { browserName } from './browser-name.ts'
import { DeleteUser } from './Deletion.tsx'
import { SecondFactor } from './SecondFactor.tsx'

export default function SessionsPage() {
  const { data: me } = useSession()
  return (
    <>
      <AccountHeader
        title="Signing in"
        about="Where you are signed in, your password and your second factor."
      />
      <section className="stack" aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <Sessions />
        <EndSessions />
      </section>
      <ChangePassword />
      <SecondFactor />
      {me && <DeleteUser email={me.user.email} />}
    </>
  )
}

function EndSessions() {
  const { isPending, mutate } = useEndSessions()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const done = () => {
    toast('All sessions have ended.')
    navigate('/sign-in')
    // The next user of this browser must not see data of this account.
    client.clear()
  }
  return (
    <div>
      <Button
        kind="danger"
        busy={isPending}
        onClick={() => mutate(undefined, { onSuccess: done, onError: (failure) => toast(failure.message) })}
      >
        End all sessions, this one too
      </Button>
    </div>
  )
}

/** Never empty: the present session is among them. */
function Sessions() {
  const { data, error, refetch } = useSessions()
  const { isPending, mutate, variables } = useRevokeSession()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <Table
      caption="Where you are signed in"
      rows={data}
      rowKey={({ id }) => id}
      columns={[
        {
          label: 'Browser',
          cell: ({ user_agent }) => <span title={user_agent ?? undefined}>{browserName(user_agent)}</span>,
        },
        { label: 'Address', cell: ({ ip_address }) => ip_address ?? <span className="soft">unknown</span> },
        { label: 'Signed in', cell: ({ created_at }) => <Time value={created_at} /> },
        { label: 'Last renewed', cell: ({ last_seen_at }) => <Time value={last_seen_at} /> },
        { label: 'Ends', cell: ({ expires_at }) => <Time value={expires_at} /> },
        {
          label: 'Actions',
          cell: ({ id, current, user_agent }) =>
            current ? (
              <Badge tone="good">this one</Badge>
            ) : (
              <Button
                size="small"
                kind="danger"
                busy={isPending && variables === id}
                onClick={() =>
                  mutate(id, {
                    onSuccess: () => toast('The session has ended.'),
                    onError: (failure) => toast(failure.message),
                  })
                }
              >
                End<span className="visually-hidden"> the session in {browserName(user_agent)}</span>
              </Button>
            ),
        },
      ]}
    />
  )
}
