import { useId } from 'react'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { DialogActions } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'

interface SecretChoiceProps {
  /** The user's own secret; null: the server makes one. */
  value: string | null
  onChange: (secret: string | null) => void
}

/** Whether the server makes the secret or the user provides one. */
export function SecretChoice({ value, onChange }: SecretChoiceProps) {
  const name = useId()
  return (
    <fieldset className="secret-choice">
      <legend>Secret</legend>
      <label className="row">
        <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
        Make one, and show it once
      </label>
      <label className="row">
        <input type="radio" name={name} checked={value !== null} onChange={() => onChange('')} />
        Use one of my own
      </label>
      {value !== null && (
        <Field
          label="Your secret"
          type="password"
          autoComplete="off"
          hint="16 to 512 characters. Your endpoint checks signatures with it."
          value={value}
          onChange={(event) => onChange(event.target.value)}
          required
          minLength={16}
          maxLength={512}
        />
      )}
    </fieldset>
  )
}

/**
 * The last step of a dialog: shows the secret, which is never shown again.
 * @param secret null: the user provided it
 */
export function SecretShown({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  return (
    <>
      {secret === null ? (
        <p>Your own secret is set. It is kept encrypted and never shown.</p>
      ) : (
        <>
          <p>
            Copy the secret now, into <code>RATECARD_WEBHOOK_SECRET</code> of your program: it is not shown
            again.
          </p>
          <p>
            <code>{secret}</code>
          </p>
        </>
      )}
      <DialogActions>
        {secret !== null && <CopyButton text={secret} what="secret" />}
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}
