import type { Schemas } from '../../../contract/index.ts'
import { SelectField } from '../../components/SelectField.tsx'
import { eventsInWords } from './words.ts'

type Event = Schemas['WebhookEvent']

const kinds = (['change.alert', '*'] satisfies Event[]).map((value) => ({
  value,
  label: eventsInWords([value]),
}))

export function EventsField({ value, onChange }: { value: Event; onChange: (event: Event) => void }) {
  return (
    <SelectField
      label="Events"
      value={value}
      onChange={(event) => onChange(event === '*' ? '*' : 'change.alert')}
      options={kinds}
      none={null}
    />
  )
}
