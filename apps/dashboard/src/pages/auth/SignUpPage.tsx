import { useState } from 'react'
import { Link } from 'wouter'
import { api, dataOf } from '../../api/client.ts'
import { Field } from '../../components/Field.tsx'
import { AuthForm } from './AuthForm.tsx'
import { EmailField, NewPasswordField } from './fields.tsx'
import { LinkSent } from './LinkSent.tsx'
import { withNext } from './next.ts'

export default function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) return <LinkSent title="Confirm your address" email={sentTo} />
  const signUp = async ({ name = '', email = '', password = '' }: Record<string, string>) => {
    await dataOf(api.POST('/dashboard/api/sign-up', { body: { name, email, password } }))
    setSentTo(email)
  }
  return (
    <AuthForm
      title="Sign up"
      action="Sign up"
      onSend={signUp}
      below={<Link href={withNext('/sign-in')}>Sign in</Link>}
    >
      <Field label="Name" name="name" autoComplete="name" required maxLength={100} />
      <EmailField />
      <NewPasswordField />
    </AuthForm>
  )
}
