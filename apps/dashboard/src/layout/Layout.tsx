import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Schemas } from '../../contract/index.ts'
import { api, bodyOf } from '../api/client.ts'
import { useLeave } from '../api/me.ts'
import { Button } from '../components/Button.tsx'
import { toast } from '../components/Toast.tsx'
import { countText } from '../components/language.ts'
import { routesOf } from '../routes.ts'
import { useKeptFocus } from './keep-focus.ts'
import { Offline } from './Offline.tsx'

/** The frame of every page for a signed-in user. On a narrow screen the navigation is a line that wraps. */
export function Layout({ me, children }: { me: Schemas['Me']; children: ReactNode }) {
  useKeptFocus('main')
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top">
        <Link className="brand" href="/">
          Ratecard
        </Link>
        <nav aria-label="Dashboard">
          {routesOf(me).map(
            ({ path, label, forOperators }) =>
              label && (
                <NavLink key={path} path={path} label={label}>
                  {forOperators && me.operator && <Waiting count={me.operator.waiting} />}
                </NavLink>
              ),
          )}
          {!me.account && <NavLink path="/account/sessions" label="Signing in" />}
          <a href="/docs/">API reference</a>
        </nav>
        <div className="row who">
          <span className="soft who-name" title={me.account?.name ?? me.user.email}>
            {me.account ? `${me.account.name} · ${me.account.plan}` : me.user.email}
          </span>
          <SignOut />
        </div>
      </header>
      <main id="main" className="page stack" tabIndex={-1}>
        <Offline />
        {children}
      </main>
    </>
  )
}

/** How many moves wait, beside the link to them. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      {' '}
      <span className="count">
        {countText(count)}
        <span className="visually-hidden"> waiting</span>
      </span>
    </>
  )
}

function NavLink({ path, label, children }: { path: string; label: string; children?: ReactNode }) {
  const [location] = useLocation()
  const isHere = location === path || location.startsWith(`${path}/`)
  return (
    <Link href={path} aria-current={isHere ? 'page' : undefined}>
      {label}
      {children}
    </Link>
  )
}

function SignOut() {
  const leave = useLeave()
  const { mutate } = useMutation({
    mutationFn: () => bodyOf(api.POST('/dashboard/api/sign-out')),
    onSuccess: leave,
    onError: ({ message }) => toast(message),
  })
  return <Button onClick={() => mutate()}>Sign out</Button>
}
