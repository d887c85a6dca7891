import { language } from './language.ts'

const here = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

/** An instant in the viewer's zone. Its tooltip, which screen readers read, gives UTC. Null: never. */
export function Time({ value }: { value: string | null }) {
  if (value === null) return <span className="soft">never</span>
  const utc = `${value.slice(0, 16).replace('T', ' ')} UTC`
  return (
    <time className="time" dateTime={value} title={utc}>
      <span>{here.format(new Date(value))}</span> <span className="hint">({utc})</span>
    </time>
  )
}
