import { useRenewRecoveryCodes } from '../../api/second-factor.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export function RenewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate } = useRenewRecoveryCodes()
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
          action="Make new codes"
          kind="primary"
          error={error}
          busy={isPending}
          onSend={(password) => mutate(password)}
          onClose={onClose}
        >
          <p>The ones you have stop working.</p>
        </PasswordForm>
      )}
    </Dialog>
  )
}
