import { useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { useServerNow } from '../../api/server-now.ts'
import { chooseExpiry, isLifetime, lifetimes, localDay, type Lifetime } from './expiry.ts'

const msPerDay = 86_400_000
const yearsMax = 5
const tickMs = 60_000

/** How long a key works: a choice, and the field of a day when it is wanted. */
export function useExpiry(initial: Lifetime) {
  const [lifetime, setLifetime] = useState(initial)
  const nowMs = useServerNow(tickMs)
  const fields = (
    <>
      <SelectField
        label="Expires"
        value={lifetime}
        onChange={(value) => setLifetime(isLifetime(value) ? value : 'never')}
        options={lifetimes}
      />
      {lifetime === 'custom' && (
        <Field
          label="Last day"
          name="last-day"
          type="date"
          hint="It works until the end of that day, where you are."
          min={localDay(nowMs)}
          max={localDay(nowMs + yearsMax * 365 * msPerDay)}
          defaultValue={localDay(nowMs + 180 * msPerDay)}
          required
        />
      )}
    </>
  )
  /** @param values of the form */
  const read = (values: Partial<Record<string, string>>) =>
    chooseExpiry(lifetime, { nowMs, lastDay: values['last-day'] ?? '' })
  return { fields, read }
}
