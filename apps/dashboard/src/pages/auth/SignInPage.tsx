import { useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { ApiFailure, call } from '../../api/client.ts'
import { meQuery, useSession } from '../../api/me.ts'
import { hasSessionEnded, queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { AuthForm } from './AuthForm.tsx'
import { Invited } from './Invited.tsx'
import { EmailField } from './fields.tsx'
import { nextPath, withNext } from './next.ts'
import { OtherCells } from './OtherCells.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'

/** @param again the user whose page waits behind; undefined: it is a page of its own */
export default function SignInPage({ again }: { again?: string }) {
  const [, navigate] = useLocation()
  const [asksForCode, setAsksForCode] = useState(false)
  const [isEnded] = useState(hasSessionEnded)
  const { data: me } = useSession()
  const goOn = async () => {
    const me = await meQuery.queryFn()
    if (me === null) {
      throw new ApiFailure(
        'not_signed_in',
        'Your browser did not keep the session. It must be reached over https; at localhost, Chromium and Firefox will do.',
        null,
      )
    }
    // The page that waits is not for somebody else.
    if (again !== undefined && again !== me.user.id) return window.location.assign('/dashboard/')
    queryClient.setQueryData(meQuery.queryKey, me)
    if (again === undefined) navigate(nextPath())
  }
  // Signed in already, in another window perhaps.
  if (me && again === undefined) return <Redirect to={nextPath()} replace />
  if (asksForCode) {
    return (
      <AuthForm
        // A form of its own: it begins without the first one's state.
        key="second factor"
        title="Your second factor"
        action="Continue"
        onSend={async ({ code = '' }) => {
          await call('POST /second-factor', { body: { code: code.trim() } })
          await goOn()
        }}
        instead={<PasskeyButton afterPassword onSignedIn={goOn} />}
        below={<Button onClick={() => setAsksForCode(false)}>Start over</Button>}
      >
        <Field
          label="Code"
          name="code"
          hint="Six digits of your authenticator app, or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          minLength={6}
          maxLength={32}
        />
      </AuthForm>
    )
  }
  return (
    <AuthForm
      title="Sign in"
      about={isEnded ? 'Your session has ended. Sign in, and you are back where you were.' : undefined}
      action="Sign in"
      onSend={async ({ email = '', password = '' }) => {
        const answer = await call('POST /sign-in', { body: { email, password } })
        if (answer.needs_second_factor) setAsksForCode(true)
        else await goOn()
      }}
      instead={<PasskeyButton afterPassword={false} onSignedIn={goOn} />}
      below={
        again === undefined && (
          <>
            <Link href={withNext('/sign-up')}>Sign up</Link>
            <Link href="/forgot-password">Forgot your password?</Link>
            <OtherCells />
          </>
        )
      }
    >
      <Invited />
      <EmailField />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
    </AuthForm>
  )
}
