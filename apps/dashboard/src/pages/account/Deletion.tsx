import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useLookAt } from '../../api/account.ts'
import { call } from '../../api/client.ts'
import { useLeave } from '../../api/me.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { confirming } from '../../components/Toast.tsx'
import { PasswordForm } from './PasswordForm.tsx'

/** Deletes the present account. For its owner. */
export function DeleteAccount({ name }: { name: string }) {
  const [, navigate] = useLocation()
  return (
    <Deletion
      what="Delete the account"
      question={`Delete the account “${name}”?`}
      about="Its keys and webhooks stop working at once, and its members no longer see it."
      deletion={useLookAt('POST /delete-account')}
      onDone={confirming(`The account “${name}” is deleted.`, () => navigate('/overview'))}
    >
      This cannot be undone. What is left of its packs is lost. Your user stays.
    </Deletion>
  )
}

/** Deletes the user who is signed in. */
export function DeleteUser({ email }: { email: string }) {
  const leave = useLeave()
  const deletion = useMutation({
    mutationFn: (sent: Proof) => call('POST /delete-user', sent),
  })
  return (
    <Deletion
      what="Delete your user"
      question="Delete your user?"
      about={`You will no longer be able to sign in as ${email}. Accounts that nobody else is a member of are deleted too.`}
      deletion={deletion}
      onDone={confirming('Your user is deleted.', leave)}
    >
      This cannot be undone. Keys and webhooks of accounts that nobody else is a member of stop working at
      once.
    </Deletion>
  )
}

interface Proof {
  body: { password: string }
}

interface DeletionProps {
  what: string
  question: string
  about: string
  deletion: UseMutationResult<unknown, Error, Proof>
  onDone: () => void
  children: ReactNode
}

function Deletion({ what, question, about, deletion, onDone, children }: DeletionProps) {
  const [isOpen, setOpen] = useState(false)
  const { error, isPending, mutate, reset } = deletion
  const id = what.toLowerCase().replaceAll(' ', '-')
  const close = () => {
    setOpen(false)
    reset()
  }
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{what}</h2>
      <p>{about}</p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          {what}
        </Button>
      </div>
      {isOpen && (
        <Dialog title={question} onClose={close}>
          <PasswordForm
            action="Delete for good"
            kind="danger"
            error={error}
            busy={isPending}
            onSend={(password) => mutate({ body: { password } }, { onSuccess: onDone })}
            onClose={close}
          >
            <p>{children}</p>
          </PasswordForm>
        </Dialog>
      )}
    </section>
  )
}
