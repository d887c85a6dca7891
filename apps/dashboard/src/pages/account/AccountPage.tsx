import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useLookAt } from '../../api/account.ts'
import { useSession } from '../../api/me.ts'
import { useAction } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { Field } from '../../components/Field.tsx'
import { Form } from '../../components/Form.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Table } from '../../components/Table.tsx'
import { toast } from '../../components/Toast.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { DeleteAccount } from './Deletion.tsx'

export default function AccountPage() {
  const { data: me } = useSession()
  // Both are always there: the frame waits for them before it shows the page.
  if (!me?.account) return null
  const { id, name, plan, role } = me.account
  return (
    <>
      <AccountHeader
        title="Account settings"
        about="Keys, webhooks, packs and the plan belong to the account."
      />
      <Facts>
        <Fact name="Identifier">
          <code>{id}</code>
        </Fact>
        <Fact name="Plan">{plan}</Fact>
        <Fact name="You are">
          {me.user.name}, {me.user.email}, {role} of this account
        </Fact>
      </Facts>
      <section className="stack" aria-labelledby="name">
        <h2 id="name">Name</h2>
        {role === 'owner' ? (
          <Rename key={id} present={name} />
        ) : (
          <p>
            {name} <span className="hint">Only an owner can rename it.</span>
          </p>
        )}
      </section>
      <Accounts accounts={me.accounts} lookedAt={id} />
      {role === 'owner' && <DeleteAccount key={`delete ${id}`} name={name} />}
    </>
  )
}

function Rename({ present }: { present: string }) {
  const [name, setName] = useState(present)
  const { error, isPending, mutate } = useAction('PATCH /account')
  const done = () => toast(`The account is called “${name.trim()}”.`)
  return (
    <Form className="stack short" onSend={() => mutate({ body: { name: name.trim() } }, { onSuccess: done })}>
      <Field
        label="Name of the account"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error?.message ?? null}
        required
        maxLength={100}
      />
      <div>
        <Button type="submit" busy={isPending} disabled={name.trim() === present}>
          Rename
        </Button>
      </div>
    </Form>
  )
}

function Accounts({ accounts, lookedAt }: { accounts: Schemas['Me']['accounts']; lookedAt: string }) {
  const { error, isPending, mutate, variables } = useLookAt('POST /switch-account')
  const look = (id: string, name: string) =>
    mutate({ body: { account_id: id } }, { onSuccess: () => toast(`You are looking at ${name}.`) })
  return (
    <section className="stack" aria-labelledby="accounts">
      <h2 id="accounts">Your accounts</h2>
      <FormError error={error} />
      <Table
        caption="Accounts you are a member of"
        rows={accounts}
        rowKey={({ id }) => id}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          { label: 'You are', cell: ({ role }) => role },
          {
            label: 'Looking at',
            cell: ({ id, name }) =>
              id === lookedAt ? (
                <Badge tone="good">this one</Badge>
              ) : (
                <Button
                  size="small"
                  busy={isPending && variables.body.account_id === id}
                  onClick={() => look(id, name)}
                >
                  Switch<span className="visually-hidden"> to {name}</span>
                </Button>
              ),
          },
        ]}
      />
    </section>
  )
}
