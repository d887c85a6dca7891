import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useRenameAccount, useSwitchAccount } from '../../api/account.ts'
import { useSession } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { Field } from '../../components/Field.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { toast } from '../../components/Toast.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { DeleteAccount } from './Deletion.tsx'

export default function AccountPage() {
  // `me` is always there: the frame waits for it before it shows a page.
  const { data: me } = useSession()
  return (
    <>
      <AccountHeader title="Account" about="Keys, webhooks, packs and the plan belong to the account." />
      {me?.account ? (
        <>
          <Facts>
            <Fact name="Identifier">
              <code>{me.account.id}</code>
            </Fact>
            <Fact name="Plan">{me.account.plan}</Fact>
            <Fact name="You are">
              {me.user.name}, {me.user.email}, {me.account.role} of this account
            </Fact>
          </Facts>
          <Name key={me.account.id} account={me.account} />
          <Accounts accounts={me.accounts} lookedAt={me.account.id} />
          {me.account.role === 'owner' && (
            <DeleteAccount key={`delete ${me.account.id}`} name={me.account.name} />
          )}
        </>
      ) : (
        <Skeleton />
      )}
    </>
  )
}

function Name({ account }: { account: Schemas['Account'] }) {
  const [name, setName] = useState(account.name)
  const { error, isPending, mutate } = useRenameAccount()
  if (account.role !== 'owner') {
    return (
      <section className="stack" aria-labelledby="name">
        <h2 id="name">Name</h2>
        <p>
          {account.name} <span className="hint">Only an owner can rename it.</span>
        </p>
      </section>
    )
  }
  return (
    <section className="stack" aria-labelledby="name">
      <h2 id="name">Name</h2>
      <form
        className="stack short-form"
        onSubmit={(event) => {
          event.preventDefault()
          mutate(name.trim(), { onSuccess: () => toast(`The account is called “${name.trim()}”.`) })
        }}
      >
        <Field
          label="Name of the account"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={error?.message ?? null}
          required
          maxLength={100}
        />
        <div>
          <Button type="submit" busy={isPending} disabled={name.trim() === account.name}>
            Rename
          </Button>
        </div>
      </form>
    </section>
  )
}

function Accounts({ accounts, lookedAt }: { accounts: Schemas['Me']['accounts']; lookedAt: string }) {
  const { error, isPending, mutate, variables } = useSwitchAccount()
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
                  busy={isPending && variables === id}
                  onClick={() => mutate(id, { onSuccess: () => toast(`You are looking at ${name}.`) })}
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
