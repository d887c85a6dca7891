import type { ReactNode } from 'react'

/** The frame of pages for a user who is not signed in. */
export function PlainLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="top">
        <a className="brand" href="/">
          Ratecard
        </a>
      </header>
      <main className="page narrow stack">{children}</main>
    </>
  )
}
