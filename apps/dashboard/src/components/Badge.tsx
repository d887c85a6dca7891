import type { ReactNode } from 'react'

/** A state in one word. The colour adds nothing to the word. */
export function Badge({
  tone,
  children,
}: {
  tone?: 'good' | 'warn' | 'bad' | undefined
  children: ReactNode
}) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  )
}
