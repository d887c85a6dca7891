import { useRevokeSession, useSessions } from '../../api/account.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { useToast } from '../../components/Toast.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { browserName } from './browser-name.ts'

export default function SessionsPage() {
  return (
    <>
      <AccountHeader title="Signing in" about="Where you are signed in, and your password." />
      <section className="stack" aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <Sessions />
      </section>
      <ChangePassword />
    </>
  )
}

/** Never empty: the session that looks is among them. */
function Sessions() {
  const { data, error, refetch } = useSessions()
  const { isPending, mutate, variables } = useRevokeSession()
  const toast = useToast()
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
