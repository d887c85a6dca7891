import type { ReactNode } from 'react'
import { HouseLinks } from './HouseLinks.tsx'
import { Brand } from './SideBar.tsx'

/** The frame of pages for a user who is not signed in. */
export function PlainLayout({ children }: { children: ReactNode }) {
  return (
    <div className="plain">
      <header>
        <Brand />
      </header>
      <main className="card stack">{children}</main>
      <footer className="soft">
        <a href="/models">Prices</a> <a href="/plans">Plans</a> <a href="/docs/">API reference</a>
        <HouseLinks />
      </footer>
    </div>
  )
}
