import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import type { Schemas } from '../contract/index.ts'
import { useSession } from './api/me.ts'
import { hasSessionEnded, queryClient } from './api/query-client.ts'
import { onReturn } from './api/reach.ts'
import { Dialog, isTyping } from './components/Dialog.tsx'
import { ErrorBoundary } from './components/ErrorBoundary.tsx'
import { PageError } from './components/PageError.tsx'
import { ErrorState, replaces, Skeleton } from './components/states.tsx'
import { Layout } from './layout/Layout.tsx'
import { PlainLayout } from './layout/PlainLayout.tsx'
import { signInPath } from './pages/auth/next.ts'
import { NoAccountPage } from './pages/account/NoAccountPage.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { homePath, openRoutes, listRoutes, prefetchPages, publicSections } from './routes.ts'

const SignInPage = lazy(() => import('./pages/auth/SignInPage.tsx'))

export function App() {
  return (
    <Router base="/dashboard">
      <Switch>
        {openRoutes.map(({ path, page: Page }) => (
          <Route key={path} path={path}>
            <PlainLayout>
              <Loaded>
                <Page />
              </Loaded>
            </PlainLayout>
          </Route>
        ))}
        <Route>
          <SignedInPages />
        </Route>
      </Switch>
    </Router>
  )
}

function SignedInPages() {
  const { data: me, error, isPending, refetch } = useSession()
  const [last, setLast] = useState(me)
  const [, navigate] = useLocation()
  if (me && me !== last) setLast(me)
  if (isPending || replaces(error, me)) {
    // The frame of those who are signed in, as nearly all are who come here: a narrow one would jump.
    return (
      <Layout me={null}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Layout>
    )
  }
  // What was typed in a dialog stays, out of sight, for who signs in again.
  const shown = me ?? (hasSessionEnded() && isTyping() ? last : null)
  if (!shown) return <Redirect to={signInPath()} replace />
  return (
    <>
      <div className="kept" hidden={me === null}>
        <PagesInLayout me={shown} />
      </div>
      {me === null && (
        <Dialog
          title="Sign in again"
          onClose={() => {
            queryClient.clear()
            navigate('/sign-in')
          }}
        >
          <Suspense fallback={<Skeleton />}>
            <SignInPage again={shown.user.id} />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

function PagesInLayout({ me }: { me: Schemas['Me'] }) {
  const hasAccount = me.account !== null
  useEffect(() => {
    prefetchPages()
    return onReturn(prefetchPages)
  }, [])
  return (
    <Layout me={me}>
      <Loaded>
        <Switch>
          {listRoutes(me).map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          {publicSections.map((section) => (
            <Route key={section} path={`${section}/*?`} component={PublicPage} />
          ))}
          {!hasAccount && <Route component={NoAccountPage} />}
          <Route path="/">
            <Redirect to={homePath} replace />
          </Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Loaded>
    </Layout>
  )
}

/** Who signed in on the way to a public page goes on to it: the server leads there. */
function PublicPage() {
  useEffect(() => window.location.replace(window.location.href), [])
  return <Skeleton />
}

/**
 * The boundary around a page. The page's script is fetched when the page is opened. After an update of the server an
 * open window asks for scripts that are gone; loading the page again fixes that.
 */
function Loaded({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  return (
    <ErrorBoundary key={location} fallback={(error) => <PageError error={error} />}>
      <Suspense fallback={<Skeleton />}>{children}</Suspense>
    </ErrorBoundary>
  )
}
