import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad'

/** A state in one word. The colour adds nothing to the word. */
export function Badge({ tone, children }: { tone?: Tone | undefined; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  )
}
