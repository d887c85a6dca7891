import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { askData } from '../../api/queries.ts'
import { Field } from '../../components/Field.tsx'

const scheme = 'https://'
const pauseMs = 300

/** An address that is checked while the user types, by the server's own rule. */
export function UrlField({ value, onChange }: { value: string; onChange: (url: string) => void }) {
  const debounced = useDebounced(value)
  // The first letters that every address begins with are not an error.
  const isBeginning = scheme.startsWith(debounced)
  const { data } = useQuery({
    ...askData('POST /webhook-url', { body: { url: debounced } }),
    enabled: !isBeginning,
    staleTime: 'static',
  })
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
      error={debounced === value ? (data?.problem ?? null) : null}
      required
      maxLength={2_048}
    />
  )
}

/** The value once it has not changed for a moment. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
