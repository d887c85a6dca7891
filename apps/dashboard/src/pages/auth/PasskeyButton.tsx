import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { signInWithPasskey } from '../../api/passkeys.ts'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'

export interface PasskeyButtonProps {
  /** Whether it takes the place of a code. */
  afterPassword: boolean
  onSignedIn: () => Promise<void>
}

/** The way in without the form. */
export function PasskeyButton({ afterPassword, onSignedIn }: PasskeyButtonProps) {
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      await signInWithPasskey(afterPassword)
      await onSignedIn()
    },
  })
  if (!browserSupportsWebAuthn()) return null
  return (
    <div className="stack">
      <Button busy={isPending} onClick={() => mutate()}>
        Use a passkey
      </Button>
      <FormError error={error} />
    </div>
  )
}
