import { useState } from 'react'
import { useLookAt } from '../../api/account.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Form } from '../../components/Form.tsx'
import { FormError } from '../../components/FormError.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { toast } from '../../components/Toast.tsx'

/** For a user who is a member of no account any more. */
export function NoAccountPage() {
  const [name, setName] = useState('')
  const { error, isPending, mutate } = useLookAt('POST /accounts')
  const done = () => toast('You have an account of your own.')
  return (
    <>
      <PageHeader title="You are a member of no account" />
      <p>
        Keys, webhooks and plans belong to an account. Follow the link of an invitation to join one, or make
        one of your own.
      </p>
      <Form
        className="stack short"
        onSend={() => mutate({ body: { name: name.trim() } }, { onSuccess: done })}
      >
        <Field
          label="Name of the account"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
        />
        <FormError error={error} />
        <div>
          <Button type="submit" kind="primary" busy={isPending} disabled={name.trim() === ''}>
            Make an account
          </Button>
        </div>
      </Form>
    </>
  )
}
