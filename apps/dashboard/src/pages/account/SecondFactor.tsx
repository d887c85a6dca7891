import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useSession } from '../../api/me.ts'
import { useAction } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { DialogForm } from '../../components/FormDialog.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import { confirming } from '../../components/Toast.tsx'
import { PasswordForm } from './PasswordForm.tsx'

const dialogs = { setUp: SetUpDialog, codes: RenewCodesDialog, remove: RemoveDialog }

/** Sets up the second factor, replaces its recovery codes, or removes it. */
export function SecondFactor() {
  const { data: me } = useSession()
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null)
  const OpenDialog = open && dialogs[open]
  const has = me?.user.has_second_factor === true
  return (
    <section className="stack" aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      <p>
        {has ? (
          <>
            <Badge tone="good">on</Badge> Signing in requires a code from your authenticator app.
          </>
        ) : (
          'Require a code from your authenticator app when you sign in.'
        )}
      </p>
      <div className="row">
        {has ? (
          <>
            <Button onClick={() => setOpen('codes')}>New recovery codes</Button>
            <Button kind="danger" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen('setUp')}>Set up</Button>
        )}
      </div>
      {OpenDialog && <OpenDialog onClose={() => setOpen(null)} />}
    </section>
  )
}

function SetUpDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate } = useAction('POST /second-factor/setup')
  return (
    <Dialog title="Set up a second factor" onClose={onClose}>
      {data ? (
        <Confirm setup={data} onClose={onClose} />
      ) : (
        <PasswordForm
          action="Continue"
          error={error}
          busy={isPending}
          onSend={(password) => mutate({ body: { password } })}
          onClose={onClose}
        >
          <p>You need an authenticator app on your phone or a password manager that generates codes.</p>
        </PasswordForm>
      )}
    </Dialog>
  )
}

function Confirm({ setup, onClose }: { setup: Schemas['SecondFactorSetup']; onClose: () => void }) {
  const { error, isPending, mutate } = useAction('POST /second-factor/confirm')
  const done = confirming('The second factor is on. All other sessions have ended.', onClose)
  return (
    <DialogForm
      action="Turn on"
      busy={isPending}
      onSend={({ code = '' }) => mutate({ body: { code: code.trim() } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>Scan this with your app, or enter the secret.</p>
      <QrCode text={setup.uri} label="QR code of the secret below" />
      <p>
        <code className="secret breaks">{setup.secret}</code>
      </p>
      <RecoveryCodes codes={setup.recovery_codes} />
      <Field
        label="Code"
        name="code"
        hint="Enter the 6-digit code from your app."
        inputMode="numeric"
        autoComplete="one-time-code"
        error={error?.message ?? null}
        required
        minLength={6}
        maxLength={10}
      />
    </DialogForm>
  )
}

function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate } = useAction('POST /second-factor/recovery-codes')
  return (
    <Dialog title="New recovery codes" onClose={onClose}>
      {data ? (
        <>
          <RecoveryCodes codes={data.recovery_codes} />
          <DialogActions>
            <Button kind="primary" onClick={onClose}>
              I have kept them
            </Button>
          </DialogActions>
        </>
      ) : (
        <PasswordForm
          action="Generate new codes"
          asksCode
          error={error}
          busy={isPending}
          onSend={(password, code) => mutate({ body: { password, code } })}
          onClose={onClose}
        >
          <p>Your current codes will stop working.</p>
        </PasswordForm>
      )}
    </Dialog>
  )
}

/** Shown once. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>
        Each of these replaces the app once. Keep them where you find them without it; they are shown only
        now.
      </p>
      <CodeBlock what="recovery codes" code={codes.join('\n')} />
    </>
  )
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const { error, isPending, mutate } = useAction('POST /second-factor/remove')
  const done = confirming('Second factor removed.', onClose)
  return (
    <Dialog title="Remove the second factor?" onClose={onClose}>
      <PasswordForm
        action="Remove"
        kind="danger"
        asksCode
        error={error}
        busy={isPending}
        onSend={(password, code) => mutate({ body: { password, code } }, { onSuccess: done })}
        onClose={onClose}
      >
        <p>You will sign in with your password alone. Your recovery codes will stop working.</p>
      </PasswordForm>
    </Dialog>
  )
}
