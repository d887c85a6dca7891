import { useEffect, useRef, type ReactNode } from 'react'
import { Menu, X } from 'lucide-react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../contract/index.ts'
import { useMatches } from '../components/use-matches.ts'
import { useKeptFocus } from './keep-focus.ts'
import { HouseLinks } from './HouseLinks.tsx'
import { Offline } from './Offline.tsx'
import { Brand, SideBar } from './SideBar.tsx'

/** Where the navigation has room beside the page. */
const wide = matchMedia('(min-width: 64rem)')

/**
 * The frame of every page for a signed-in user: the navigation at the side, or behind a button where the screen is
 * narrow.
 * @param me null: not known yet
 */
export function Layout({ me, children }: { me: Schemas['Me'] | null; children: ReactNode }) {
  useKeptFocus('main')
  const isWide = useMatches(wide)
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to content
      </a>
      {isWide ? (
        <header className="side">
          <SideBar me={me} />
        </header>
      ) : (
        <Bar me={me} />
      )}
      <main id="main" className="page stack" tabIndex={-1}>
        <Offline />
        {children}
        <footer className="house soft">
          <HouseLinks />
        </footer>
      </main>
    </div>
  )
}

/** The head of a narrow screen. Its menu is a modal dialog: the browser keeps the focus in it, and gives it back. */
function Bar({ me }: { me: Schemas['Me'] | null }) {
  const drawer = useRef<HTMLDialogElement>(null)
  const [location] = useLocation()
  useEffect(() => drawer.current?.close(), [location])
  return (
    <header className="bar">
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        disabled={me === null}
        onClick={() => drawer.current?.showModal()}
      >
        <Menu aria-hidden="true" />
        <span className="visually-hidden">Menu</span>
      </button>
      <Brand />
      <dialog
        ref={drawer}
        className="side drawer"
        aria-label="Menu"
        // A press beside it.
        onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      >
        <button type="button" className="icon-button drawer-close" onClick={() => drawer.current?.close()}>
          <X aria-hidden="true" />
          <span className="visually-hidden">Close the menu</span>
        </button>
        <SideBar me={me} />
      </dialog>
    </header>
  )
}
