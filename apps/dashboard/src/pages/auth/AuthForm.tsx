import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

export interface AuthFormProps {
  title: string
  action: string
  /** Sends the typed values, by the names of the fields. The form shows the error that it throws. */
  onSend: (values: Record<string, string>) => Promise<void>
  children: ReactNode
  /** Links to the related pages. */
  below: ReactNode
}

/** A short form for a user who is not signed in. */
export function AuthForm({ title, action, onSend, children, below }: AuthFormProps) {
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : '',
      ]),
    )
    setError(null)
    setBusy(true)
    try {
      await onSend(values)
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Something failed. Try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <PageHeader title={title} />
      <form className="stack" onSubmit={(event) => void send(event)}>
        {children}
        <p className="form-error" role="alert">
          {error}
        </p>
        <Button type="submit" kind="primary" busy={busy}>
          {action}
        </Button>
      </form>
      <div className="row">{below}</div>
    </>
  )
}
