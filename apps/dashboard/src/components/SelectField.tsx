import { useId } from 'react'

export interface SelectFieldProps {
  label: string
  /** Null: nothing is chosen. */
  value: string | null
  onChange: (value: string | null) => void
  options: readonly { value: string; label: string }[]
  /** The label of no choice, such as "All vendors"; left out: the user must choose. */
  none?: string
}

/** A labelled choice of one. A value that is not among the options is shown as well. */
export function SelectField({ label, value, onChange, options, none }: SelectFieldProps) {
  const id = useId()
  const isKnown = value === null || options.some((option) => option.value === value)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {!isKnown && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
