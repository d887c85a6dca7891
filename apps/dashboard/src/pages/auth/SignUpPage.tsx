import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { AuthForm } from './AuthForm.tsx'
import { EmailField } from './fields.tsx'
import { Invited, isInvited } from './Invited.tsx'
import { LinkSent } from './LinkSent.tsx'
import { withNext } from './next.ts'
import { useSignUpCell } from './OtherCells.tsx'
import { rememberNext } from './remembered-next.ts'

/** Takes the address alone. The owner of the mailbox chooses name and password later. */
export default function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const elsewhere = useSignUpCell()
  // An invitation is to an account of this cell.
  if (elsewhere !== null && !isInvited())
    return (
      <>
        <PageHeader title="Sign up" />
        <p>
          New accounts are made at another address:{' '}
          <a href={`${elsewhere}/dashboard/sign-up`}>sign up at {new URL(elsewhere).host}</a>.
        </p>
        <p>
          <Link href="/sign-in">Sign in here</Link>
        </p>
      </>
    )
  if (sentTo !== null) return <LinkSent title="Check your inbox" email={sentTo} />
  const signUp = async ({ email = '' }: Partial<Record<string, string>>) => {
    await call('POST /sign-up', { body: { email } })
    rememberNext()
    setSentTo(email)
  }
  return (
    <AuthForm
      title="Sign up"
      action="Sign up"
      onSend={signUp}
      below={<Link href={withNext('/sign-in')}>Sign in</Link>}
    >
      <Invited />
      <p className="soft">We’ll email you a link to set your password.</p>
      <EmailField />
    </AuthForm>
  )
}
