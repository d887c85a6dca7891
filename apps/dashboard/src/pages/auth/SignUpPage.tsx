import { useState } from 'react'
import { Link } from 'wouter'
import { api, bodyOf } from '../../api/client.ts'
import { AuthForm } from './AuthForm.tsx'
import { EmailField } from './fields.tsx'
import { LinkSent } from './LinkSent.tsx'
import { withNext } from './next.ts'
import { rememberNext } from './remembered-next.ts'

/** Takes the address alone. The owner of the mailbox chooses name and password later. */
export default function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) return <LinkSent title="Check your inbox" email={sentTo} />
  const signUp = async ({ email = '' }: Partial<Record<string, string>>) => {
    await bodyOf(api.POST('/dashboard/api/sign-up', { body: { email } }))
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
      <p className="soft">We mail you a link. You choose a password when you have followed it.</p>
      <EmailField />
    </AuthForm>
  )
}
