import { Link, useLocation } from 'wouter'
import { call } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { Field, notBlank } from '../../components/Field.tsx'
import { toast } from '../../components/Toast.tsx'
import { AuthForm } from './AuthForm.tsx'
import { NewPasswordField } from './fields.tsx'
import { MailedLink } from './MailedLink.tsx'
import { takeNext } from './remembered-next.ts'

const title = 'Finish signing up'

/** The target of the link in a sign-up mail. */
export default function FinishSignUpPage() {
  const [, navigate] = useLocation()
  const finish = async (token: string, { name = '', password = '' }: Partial<Record<string, string>>) => {
    await call('POST /finish-sign-up', { body: { token, name, password } })
    const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    toast(me === null ? 'Welcome to Ratecard. Now sign in.' : 'Welcome to Ratecard.')
    // A browser that did not keep the session is told so where one signs in.
    navigate(me === null ? '/sign-in' : takeNext())
  }
  return (
    <MailedLink kind="sign-up" title={title} href="/sign-up">
      {(token) => (
        <AuthForm
          title={title}
          action="Finish"
          onSend={(values) => finish(token, values)}
          below={<Link href="/sign-up">Send another link</Link>}
        >
          <Field label="Name" name="name" autoComplete="name" required {...notBlank} maxLength={100} />
          <NewPasswordField />
        </AuthForm>
      )}
    </MailedLink>
  )
}
