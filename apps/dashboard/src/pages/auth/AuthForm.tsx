import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { Form } from '../../components/Form.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

export interface AuthFormProps {
  title: string
  /** Why the user is asked. */
  about?: string | undefined
  action: string
  /** Sends the typed values, by the names of the fields. The form shows the error that it throws. */
  onSend: (values: Partial<Record<string, string>>) => Promise<void>
  children: ReactNode
  /** Another way than the form. */
  instead?: ReactNode
  /** Links to the related pages. */
  below: ReactNode
}

/** A short form for a user who is not signed in. */
export function AuthForm({ title, about, action, onSend, children, instead, below }: AuthFormProps) {
  const { error, isPending, mutate } = useMutation({ mutationFn: onSend })
  return (
    <>
      <PageHeader title={title} about={about} />
      <Form onSend={mutate}>
        {children}
        <p className="form-error" role="alert">
          {error?.message}
        </p>
        <Button type="submit" kind="primary" busy={isPending}>
          {action}
        </Button>
      </Form>
      {instead}
      <div className="row">{below}</div>
    </>
  )
}
