import type { ReactNode } from 'react'
import { TimeForm } from './Time.tsx'

/** A list of names and values. Takes `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <TimeForm value="full">
      <dl className="facts">{children}</dl>
    </TimeForm>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
