import { useEffect, useState } from 'react'
import { useUrlVerdict } from '../../api/webhooks.ts'
import { Field } from '../../components/Field.tsx'

const scheme = 'https://'
const pauseMs = 300

export interface UrlFieldProps {
  value: string
  onChange: (url: string) => void
  /** What came of sending it. */
  error: string | null
}

/** An address that is judged as it is typed, by the rule by which the server takes it. */
export function UrlField({ value, onChange, error }: UrlFieldProps) {
  const settled = useSettled(value)
  // Nobody is told off for the letters that everybody begins with.
  const isBeginning = scheme.startsWith(settled)
  const { data } = useUrlVerdict(isBeginning ? null : settled)
  const problem = settled === value ? (data?.problem ?? null) : null
  return (
    <Field
      label="Address"
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://hooks.example.com/webhooks/ratecard"
      hint="It must begin with https:// and lead to a public host."
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem ?? error}
      required
      maxLength={2_048}
      autoFocus
    />
  )
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
