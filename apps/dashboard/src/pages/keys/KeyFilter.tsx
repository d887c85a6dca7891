import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/queries.ts'
import { SelectField } from '../../components/SelectField.tsx'
import { keyLabel } from './words.ts'

/** A choice of one of the account's keys, or all of them (null). */
export function KeyFilter({
  value,
  onChange,
}: {
  value: string | null
  onChange: (keyId: string | null) => void
}) {
  const { data: keys } = useQuery(ask('GET /keys'))
  return (
    <SelectField
      label="Key"
      value={value}
      onChange={onChange}
      options={(keys?.data ?? []).map((key) => ({ value: key.id, label: keyLabel(key) }))}
      none="All keys"
    />
  )
}
