import { Suspense } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useSession } from './api/me.ts'
import { ErrorState, Skeleton } from './components/states.tsx'
import { Layout } from './layout/Layout.tsx'
import { PlainLayout } from './layout/PlainLayout.tsx'
import { signInPath } from './pages/auth/next.ts'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { homePath, openRoutes, routes } from './routes.ts'

export function App() {
  return (
    <Router base="/dashboard">
      <Switch>
        {openRoutes.map(({ path, page: Page }) => (
          <Route key={path} path={path}>
            <PlainLayout>
              <Suspense fallback={<Skeleton />}>
                <Page />
              </Suspense>
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
  if (isPending) {
    return (
      <PlainLayout>
        <Skeleton />
      </PlainLayout>
    )
  }
  if (error) {
    return (
      <PlainLayout>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </PlainLayout>
    )
  }
  if (me === null) return <Redirect to={signInPath()} replace />
  return (
    <Layout me={me}>
      <Suspense fallback={<Skeleton />}>
        <Switch>
          {routes.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route path="/">
            <Redirect to={homePath} replace />
          </Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Layout>
  )
}
