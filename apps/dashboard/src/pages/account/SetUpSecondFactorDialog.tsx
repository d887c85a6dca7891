import type { Schemas } from '../../../contract/index.ts'
import { useConfirmSecondFactor, useSetUpSecondFactor } from '../../api/second-factor.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import { toast } from '../../components/Toast.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export function SetUpSecondFactorDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate } = useSetUpSecondFactor()
  return (
    <Dialog title="Set up a second factor" onClose={onClose}>
      {data ? (
        <Confirm setup={data} onClose={onClose} />
      ) : (
        <PasswordForm
          action="Go on"
          kind="primary"
          error={error}
          busy={isPending}
          onSend={(password) => mutate(password)}
          onClose={onClose}
        >
          <p>You need an authenticator app on your phone, or a password manager that makes codes.</p>
        </PasswordForm>
      )}
    </Dialog>
  )
}

function Confirm({ setup, onClose }: { setup: Schemas['SecondFactorSetup']; onClose: () => void }) {
  const { error, isPending, mutate } = useConfirmSecondFactor()
  const done = () => {
    toast('The second factor is on. All other sessions have ended.')
    onClose()
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        mutate((new FormData(event.currentTarget).get('code') as string).trim(), { onSuccess: done })
      }}
    >
      <p>Scan this with the app, or type the secret into it.</p>
      <QrCode text={setup.uri} label="QR code of the secret below" />
      <p>
        <code className="secret">{setup.secret}</code>
      </p>
      <RecoveryCodes codes={setup.recovery_codes} />
      <Field
        label="Code"
        name="code"
        hint="The six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        error={error?.message ?? null}
        required
        minLength={6}
        maxLength={10}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={isPending}>
          Turn it on
        </Button>
      </DialogActions>
    </form>
  )
}
