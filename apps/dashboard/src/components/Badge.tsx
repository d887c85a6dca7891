import type { ReactNode } from 'react'

/** A state in a word. The colour says nothing that the word does not. */
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
