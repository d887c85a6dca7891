import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { toastOutcome } from '../../components/Toast.tsx'

type Invitations = readonly Schemas['Invitation'][]

export function InvitationTable({ invitations, isOwner }: { invitations: Invitations; isOwner: boolean }) {
  const { isPending, mutate, variables } = useAction('DELETE /invitations/{id}')
  return (
    <section className="stack" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {invitations.length === 0 ? (
        <p className="soft">
          No invitation is open. An invitation is a link by mail, which works for 7 days.
        </p>
      ) : (
        <Table
          caption="Invitations that are not answered yet"
          rows={invitations}
          rowKey={({ id }) => id}
          columns={[
            { label: 'E-mail', cell: ({ email }) => <span className="email">{email}</span> },
            { label: 'As', cell: ({ role }) => role },
            { label: 'Sent', cell: ({ invited_at }) => <Time value={invited_at} /> },
            { label: 'Works until', cell: ({ expires_at }) => <Time value={expires_at} /> },
            {
              label: 'Actions',
              cell: ({ id, email }) =>
                isOwner ? (
                  <Button
                    size="small"
                    kind="danger"
                    busy={isPending && variables.path.id === id}
                    onClick={() =>
                      mutate({ path: { id } }, toastOutcome(`The invitation to ${email} is revoked.`))
                    }
                  >
                    Revoke<span className="visually-hidden"> the invitation to {email}</span>
                  </Button>
                ) : (
                  <span className="hint">–</span>
                ),
            },
          ]}
        />
      )}
    </section>
  )
}
