import { createContext, useContext } from 'react'
import { useServerNow } from '../api/server-now.ts'
import { fullText, relativeText, shortText } from './time-words.ts'

/** How times are written here: in sentences short, in tables how long ago or ahead they are, among facts in full. */
export const TimeForm = createContext<'short' | 'relative' | 'full'>('short')

const tickMs = 30_000

/** An instant. Its tooltip, which screen readers read, has it in the viewer's zone and in UTC. Null: never. */
export function Time({ value }: { value: string | null }) {
  const form = useContext(TimeForm)
  const now = useServerNow(tickMs)
  if (value === null) return <span className="soft">never</span>
  const full = fullText(value)
  return (
    <time className="time" dateTime={value} title={form === 'full' ? undefined : full} data-form={form}>
      {form === 'full' ? full : form === 'short' ? shortText(value, now) : relativeText(value, now)}
    </time>
  )
}
