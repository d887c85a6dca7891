import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, ApiFailure, bodyOf } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { AuthForm } from './AuthForm.tsx'
import { EmailField, PasswordField } from './fields.tsx'
import { nextPath, withNext } from './next.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

export default function SignInPage() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [asksForCode, setAsksForCode] = useState(false)
  const goOn = async () => {
    const me = await client.fetchQuery({ ...meQuery, staleTime: 0 })
    if (me === null) {
      throw new ApiFailure(
        'not_signed_in',
        'Your browser did not keep the session. It must be reached over https; at localhost, Chromium and Firefox will do.',
        null,
      )
    }
    navigate(nextPath())
  }
  const signIn = async ({ email = '', password = '' }: Record<string, string>) => {
    const answer = await bodyOf(api.POST('/dashboard/api/sign-in', { body: { email, password } }))
    if (answer.needs_second_factor) setAsksForCode(true)
    else await goOn()
  }
  if (asksForCode) return <SecondFactorForm onDone={goOn} onBack={() => setAsksForCode(false)} />
  return (
    <AuthForm
      title="Sign in"
      action="Sign in"
      onSend={signIn}
      below={
        <>
          <Link href={withNext('/sign-up')}>Sign up</Link>
          <Link href="/forgot-password">Forgot your password?</Link>
        </>
      }
    >
      <EmailField />
      <PasswordField />
    </AuthForm>
  )
}
