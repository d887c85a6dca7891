import { useId, type ComponentProps } from 'react'

export interface FieldProps extends ComponentProps<'input'> {
  label: string
  hint?: string
  error?: string | null
}

/** For a field that needs more than spaces. Browsers show the title when they refuse it. */
export const notBlank = { pattern: String.raw`.*\S.*`, title: 'Give it at least one letter or digit.' }

/** A labelled input. Screen readers read its error together with it. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error != null}
        aria-describedby={hint || error ? `${id}-about` : undefined}
      />
      <span id={`${id}-about`}>
        {error ? <span className="field-error">{error}</span> : hint && <span className="hint">{hint}</span>}
      </span>
    </div>
  )
}
