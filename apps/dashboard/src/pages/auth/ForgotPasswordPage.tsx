import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { AuthForm } from './AuthForm.tsx'
import { EmailField } from './fields.tsx'
import { LinkSent } from './LinkSent.tsx'

export default function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) return <LinkSent title="Check your inbox" email={sentTo} />
  const send = async ({ email = '' }: Partial<Record<string, string>>) => {
    await call('POST /password-reset-mail', { body: { email } })
    setSentTo(email)
  }
  return (
    <AuthForm
      title="Reset your password"
      action="Send the link"
      onSend={send}
      below={<Link href="/sign-in">Sign in</Link>}
    >
      <EmailField />
    </AuthForm>
  )
}
