import { useState } from 'react'
import { useRemoveSecondFactor } from '../../api/second-factor.ts'
import { useSession } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { toast } from '../../components/Toast.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { RenewRecoveryCodesDialog } from './RenewRecoveryCodesDialog.tsx'
import { SetUpSecondFactorDialog } from './SetUpSecondFactorDialog.tsx'

type Open = 'set up' | 'codes' | 'remove'

/** Sets up the second factor, replaces its recovery codes, or removes it. */
export function SecondFactor() {
  const { data: me } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const has = me?.user.has_second_factor === true
  return (
    <section className="stack" aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      <p>
        {has ? (
          <>
            <Badge tone="good">on</Badge> Signing in asks for a code of your authenticator app.
          </>
        ) : (
          'With an authenticator app, your password alone opens nothing.'
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
          <Button onClick={() => setOpen('set up')}>Set up</Button>
        )}
      </div>
      {open === 'set up' && <SetUpSecondFactorDialog onClose={close} />}
      {open === 'codes' && <RenewRecoveryCodesDialog onClose={close} />}
      {open === 'remove' && <RemoveDialog onClose={close} />}
    </section>
  )
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const { error, isPending, mutate } = useRemoveSecondFactor()
  const done = () => {
    toast('The second factor is removed.')
    onClose()
  }
  return (
    <Dialog title="Remove the second factor?" onClose={onClose}>
      <PasswordForm
        action="Remove"
        kind="danger"
        error={error}
        busy={isPending}
        onSend={(password) => mutate(password, { onSuccess: done })}
        onClose={onClose}
      >
        <p>Signing in takes the password alone from then on. The recovery codes stop working.</p>
      </PasswordForm>
    </Dialog>
  )
}
