import type { ReactNode } from 'react'

export interface StepProps {
  number: number
  title: string
  state: 'done' | 'now' | 'later'
  children: ReactNode
}

/** A step of a list, with a mark that says how far it is. */
export function Step({ number, title, state, children }: StepProps) {
  return (
    <li className="step" data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className="step-mark" aria-hidden="true">
        {state === 'done' ? '✓' : number}
      </span>
      <div className="step-body">
        <h3>
          {title}
          {state === 'done' && <span className="visually-hidden"> (done)</span>}
        </h3>
        {children}
      </div>
    </li>
  )
}
