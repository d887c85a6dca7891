import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useLeave, useSession } from '../../api/me.ts'
import { askData, useAction } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Form } from '../../components/Form.tsx'
import { ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { confirming, toast, toastOutcome } from '../../components/Toast.tsx'
import { NewPasswordField } from '../auth/fields.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { browserName } from './browser-name.ts'
import { DeleteUser } from './Deletion.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'

export default function SessionsPage() {
  const { data: me } = useSession()
  return (
    <>
      <AccountHeader
        title="Sign-in and security"
        about="Where you are signed in, your password, your passkeys and your second factor."
      />
      <section className="stack" aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <Sessions />
        <EndSessions />
      </section>
      <ChangePassword />
      <Passkeys />
      <SecondFactor />
      {me && <DeleteUser email={me.user.email} />}
    </>
  )
}

/** Never empty: the present session is among them. */
function Sessions() {
  const { data, error, refetch } = useQuery(askData('GET /sessions'))
  const { isPending, mutate, variables } = useAction('DELETE /sessions/{id}')
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
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
                busy={isPending && variables.path.id === id}
                onClick={() => mutate({ path: { id } }, toastOutcome('The session is revoked.'))}
              >
                Revoke<span className="visually-hidden"> the session in {browserName(user_agent)}</span>
              </Button>
            ),
        },
      ]}
    />
  )
}

function EndSessions() {
  const { isPending, mutate } = useMutation({
    mutationFn: () => call('DELETE /sessions'),
    onSuccess: confirming('You are signed out everywhere.', useLeave()),
    onError: ({ message }) => toast(message),
  })
  return (
    <div>
      <Button kind="danger" busy={isPending} onClick={() => mutate()}>
        Sign out everywhere
      </Button>
    </div>
  )
}

/** Changes the password of a user who knows the present one. Every other session ends. */
function ChangePassword() {
  const { error, isPending, mutate } = useAction('POST /password')
  const [round, setRound] = useState(0)
  const done = confirming('Your password is changed. All other sessions have ended.', () =>
    setRound((before) => before + 1),
  )
  return (
    <section className="stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <Form
        // The form is made anew after success: nothing typed stays on the page.
        key={round}
        className="stack short"
        onSend={({ current = '', password = '' }) =>
          mutate({ body: { current_password: current, new_password: password } }, { onSuccess: done })
        }
      >
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          error={error?.message ?? null}
          required
        />
        <NewPasswordField />
        <div>
          <Button type="submit" busy={isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </section>
  )
}
