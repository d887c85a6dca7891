import type { ReactNode } from 'react'
import { toLink } from './words.ts'

/** An address that a file or an operator states: a link only where it leads to a web page. */
export function Address({ value, children }: { value: string; children?: ReactNode }) {
  const link = toLink(value)
  if (link === null) return <code>{value}</code>
  return (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? value}
    </a>
  )
}
