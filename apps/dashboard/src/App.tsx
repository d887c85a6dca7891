import { Suspense, type ReactNode } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { useSession } from './api/me.ts'
import { ErrorBoundary } from './components/ErrorBoundary.tsx'
import { PageError } from './components/PageError.tsx'
import { ErrorState, Skeleton } from './components/states.tsx'
import { Layout } from './layout/Layout.tsx'
import { PlainLayout } from './layout/PlainLayout.tsx'
import { signInPath } from './pages/auth/next.ts'
import { NoAccountPage } from './pages/account/NoAccountPage.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { homePath, openRoutes, listRoutes } from './routes.ts'

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
  if (isPending || error) {
    // The frame of those who are signed in, as nearly all are who come here: a narrow one would jump.
    return (
      <Layout me={null}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Layout>
    )
  }
  if (me === null) return <Redirect to={signInPath()} replace />
  const hasAccount = me.account !== null
  return (
    <Layout me={me}>
      <Loaded>
        <Switch>
          {listRoutes(me).map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
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
