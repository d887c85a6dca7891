import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, bodyOf } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { Field, notBlank } from '../../components/Field.tsx'
import { toast } from '../../components/Toast.tsx'
import { AuthForm } from './AuthForm.tsx'
import { NewPasswordField } from './fields.tsx'
import { NoLink } from './NoLink.tsx'
import { takeNext } from './remembered-next.ts'
import { tokenOfLink } from './token.ts'

/** The target of the link in a sign-up mail. */
export default function FinishSignUpPage() {
  const [token] = useState(tokenOfLink)
  const [, navigate] = useLocation()
  if (token === '') return <NoLink title="Finish signing up" href="/sign-up" action="Send me a link" />
  const finish = async ({ name = '', password = '' }: Partial<Record<string, string>>) => {
    await bodyOf(api.POST('/dashboard/api/finish-sign-up', { body: { token, name, password } }))
    const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    toast(me === null ? 'You have signed up. Now sign in.' : 'You have signed up.')
    // A browser that did not keep the session is told so where one signs in.
    navigate(me === null ? '/sign-in' : takeNext())
  }
  return (
    <AuthForm
      title="Finish signing up"
      action="Finish"
      onSend={finish}
      below={<Link href="/sign-up">Send another link</Link>}
    >
      <Field label="Name" name="name" autoComplete="name" required {...notBlank} maxLength={100} />
      <NewPasswordField />
    </AuthForm>
  )
}
