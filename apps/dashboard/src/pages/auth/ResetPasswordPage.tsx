import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, bodyOf } from '../../api/client.ts'
import { toast } from '../../components/Toast.tsx'
import { AuthForm } from './AuthForm.tsx'
import { NewPasswordField } from './fields.tsx'
import { NoLink } from './NoLink.tsx'
import { tokenOfLink } from './token.ts'

export default function ResetPasswordPage() {
  const [token] = useState(tokenOfLink)
  const [, navigate] = useLocation()
  if (token === '') {
    return <NoLink title="Choose a new password" href="/forgot-password" action="Send me a link" />
  }
  const reset = async ({ password = '' }: Partial<Record<string, string>>) => {
    await bodyOf(api.POST('/dashboard/api/password-reset', { body: { token, password } }))
    toast('Your password is changed. All sessions have ended.')
    navigate('/sign-in')
  }
  return (
    <AuthForm
      title="Choose a new password"
      action="Set the password"
      onSend={reset}
      below={<Link href="/forgot-password">Send another link</Link>}
    >
      <NewPasswordField />
    </AuthForm>
  )
}
