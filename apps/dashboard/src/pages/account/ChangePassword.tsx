import { useState } from 'react'
import { useChangePassword } from '../../api/account.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { toast } from '../../components/Toast.tsx'
import { NewPasswordField } from '../auth/fields.tsx'

/** Changes the password of a user who knows the present one. Every other session ends. */
export function ChangePassword() {
  const { error, isPending, mutate } = useChangePassword()
  const [round, setRound] = useState(0)
  return (
    <section className="stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form
        // The form is made anew after success: nothing typed stays on the page.
        key={round}
        className="stack short-form"
        onSubmit={(event) => {
          event.preventDefault()
          const values = new FormData(event.currentTarget)
          const textOf = (name: string) => values.get(name) as string
          mutate(
            { current_password: textOf('current'), new_password: textOf('password') },
            {
              onSuccess: () => {
                toast('The new password holds. All other sessions have ended.')
                setRound((before) => before + 1)
              },
            },
          )
        }}
      >
        <Field
          label="Present password"
          name="current"
          type="password"
          autoComplete="current-password"
          error={error?.message ?? null}
          required
        />
        <NewPasswordField />
        <div>
          <Button type="submit" busy={isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </section>
  )
}
