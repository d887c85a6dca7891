import { useId } from 'react'
import { Field } from '../../components/Field.tsx'

export interface SecretChoiceProps {
  /** The user's own secret; null: the server makes one. */
  value: string | null
  onChange: (secret: string | null) => void
}

/** Whether the server makes the secret or the user provides one. */
export function SecretChoice({ value, onChange }: SecretChoiceProps) {
  const name = useId()
  return (
    <fieldset className="choice">
      <legend>Secret</legend>
      <label>
        <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
        Make one, and show it once
      </label>
      <label>
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
