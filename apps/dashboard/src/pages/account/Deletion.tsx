import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDeleteAccount, useDeleteUser } from '../../api/account.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { useToast } from '../../components/Toast.tsx'
import { PasswordForm } from './PasswordForm.tsx'

/** Ends the account that is looked at. For its owner. */
export function DeleteAccount({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { error, isPending, mutate, reset } = useDeleteAccount()
  const toast = useToast()
  const [, navigate] = useLocation()
  const close = () => {
    setOpen(false)
    reset()
  }
  const done = () => {
    toast(`The account “${name}” is deleted.`)
    navigate('/overview')
  }
  return (
    <section className="stack" aria-labelledby="delete-account">
      <h2 id="delete-account">Delete the account</h2>
      <p>Its keys and webhooks stop working at once, and its members no longer see it.</p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete the account
        </Button>
      </div>
      {isOpen && (
        <Dialog title={`Delete the account “${name}”?`} onClose={close}>
          <PasswordForm
            action="Delete for good"
            kind="danger"
            error={error}
            busy={isPending}
            onSend={(password) => mutate(password, { onSuccess: done })}
            onClose={close}
          >
            <p>This cannot be undone. What is left of its packs is lost. Your user stays.</p>
          </PasswordForm>
        </Dialog>
      )}
    </section>
  )
}

/** Ends the user who is signed in. */
export function DeleteUser({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  const { error, isPending, mutate, reset } = useDeleteUser()
  const client = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const close = () => {
    setOpen(false)
    reset()
  }
  const done = () => {
    toast('Your user is deleted.')
    navigate('/sign-in')
    client.clear()
  }
  return (
    <section className="stack" aria-labelledby="delete-user">
      <h2 id="delete-user">Delete your user</h2>
      <p>
        You will no longer be able to sign in as {email}. Accounts that nobody else is a member of are deleted
        too.
      </p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete your user
        </Button>
      </div>
      {isOpen && (
        <Dialog title="Delete your user?" onClose={close}>
          <PasswordForm
            action="Delete for good"
            kind="danger"
            error={error}
            busy={isPending}
            onSend={(password) => mutate(password, { onSuccess: done })}
            onClose={close}
          >
            <p>
              This cannot be undone. Keys and webhooks of accounts that nobody else is a member of stop
              working at once.
            </p>
          </PasswordForm>
        </Dialog>
      )}
    </section>
  )
}
