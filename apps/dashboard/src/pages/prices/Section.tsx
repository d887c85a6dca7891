import type { ReactNode } from 'react'

/** A part of a record, with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack record-section">
      <h3>{title}</h3>
      {children}
    </section>
  )
}
