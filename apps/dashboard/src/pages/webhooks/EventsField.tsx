import type { Schemas } from '../../../contract/index.ts'
import { SelectField } from '../../components/SelectField.tsx'
import { eventWords } from './words.ts'

type Event = Schemas['WebhookEvent']

const options = Object.entries(eventWords).map(([value, label]) => ({ value, label }))

/** A choice of one. Several that were listed by the API are shown, and stay until another is chosen. */
export function EventsField({
  value,
  onChange,
}: {
  value: readonly Event[]
  onChange: (events: Event[]) => void
}) {
  return (
    <SelectField
      label="Events"
      value={value.includes('*') ? '*' : value.join(', ')}
      onChange={(event) => onChange([event as Event])}
      options={options}
      none={null}
    />
  )
}
