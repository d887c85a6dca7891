import { useState } from 'react'
import { Link } from 'wouter'
import { api, dataOf } from '../../api/client.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { AuthForm } from './AuthForm.tsx'
import { EmailField } from './fields.tsx'
import { LinkSent } from './LinkSent.tsx'
import { tokenOfLink } from './token.ts'

/** With a token in the link: confirms the address. Without: sends the link again. */
export default function VerifyEmailPage() {
  const [token] = useState(tokenOfLink)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isVerified, setVerified] = useState(false)
  const below = <Link href="/sign-in">Sign in</Link>
  if (sentTo !== null) return <LinkSent title="Confirm your address" email={sentTo} />
  if (isVerified) {
    return (
      <>
        <PageHeader title="Your address is confirmed" />
        <p role="status">Now {below}.</p>
      </>
    )
  }
  if (token === '') {
    const sendAgain = async ({ email = '' }: Record<string, string>) => {
      await dataOf(api.POST('/dashboard/api/verification-mail', { body: { email } }))
      setSentTo(email)
    }
    return (
      <AuthForm title="Send the link again" action="Send" onSend={sendAgain} below={below}>
        <EmailField />
      </AuthForm>
    )
  }
  // By a press and not by itself: programs that open the links of mails must not confirm an address.
  const verify = async () => {
    await dataOf(api.POST('/dashboard/api/verify-email', { body: { token } }))
    setVerified(true)
  }
  return (
    <AuthForm title="Confirm your address" action="Confirm" onSend={verify} below={below}>
      <p>One press, and you can sign in.</p>
    </AuthForm>
  )
}
