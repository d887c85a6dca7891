import { Link, useLocation } from 'wouter'
import { call } from '../../api/client.ts'
import { toast } from '../../components/Toast.tsx'
import { AuthForm } from './AuthForm.tsx'
import { NewPasswordField } from './fields.tsx'
import { MailedLink } from './MailedLink.tsx'

const title = 'Choose a new password'

export default function ResetPasswordPage() {
  const [, navigate] = useLocation()
  const reset = async (token: string, { password = '' }: Partial<Record<string, string>>) => {
    await call('POST /password-reset', { body: { token, password } })
    toast('Your password is changed. All sessions have ended.')
    navigate('/sign-in')
  }
  return (
    <MailedLink kind="password-reset" title={title} href="/forgot-password">
      {(token) => (
        <AuthForm
          title={title}
          action="Set the password"
          onSend={(values) => reset(token, values)}
          below={<Link href="/forgot-password">Send another link</Link>}
        >
          <NewPasswordField />
        </AuthForm>
      )}
    </MailedLink>
  )
}
