import { api, bodyOf } from '../../api/client.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { AuthForm } from './AuthForm.tsx'

/** The second step of signing in, for users with a second factor. */
export function SecondFactorForm({ onDone, onBack }: { onDone: () => Promise<void>; onBack: () => void }) {
  const show = async ({ code = '' }: Record<string, string>) => {
    await bodyOf(api.POST('/dashboard/api/second-factor', { body: { code: code.trim() } }))
    await onDone()
  }
  return (
    <AuthForm
      title="Your second factor"
      action="Go on"
      onSend={show}
      below={<Button onClick={onBack}>Begin again</Button>}
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
