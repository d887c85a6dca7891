import { lazy, type ComponentType } from 'react'
import type { Schemas } from '../contract/index.ts'

/** A page. Its script is fetched when it is opened. */
export interface Route {
  path: string
  /** Its name in the navigation, whose order and icons are in layout/navigation.ts; left out: reached from another page. */
  label?: string
  /** Only operators have the page. */
  forOperators?: true
  page: ComponentType
}

/** Pages for a signed-in user. */
export const routes: readonly Route[] = [
  { path: '/overview', label: 'Overview', page: lazy(() => import('./pages/overview/OverviewPage.tsx')) },
  { path: '/keys', label: 'Keys', page: lazy(() => import('./pages/keys/KeysPage.tsx')) },
  { path: '/usage', label: 'Usage', page: lazy(() => import('./pages/usage/UsagePage.tsx')) },
  { path: '/requests', label: 'Requests', page: lazy(() => import('./pages/requests/RequestsPage.tsx')) },
  { path: '/prices', label: 'Prices', page: lazy(() => import('./pages/prices/PricesPage.tsx')) },
  { path: '/compare', label: 'Compare', page: lazy(() => import('./pages/compare/ComparePage.tsx')) },
  {
    path: '/calculator',
    label: 'Calculator',
    page: lazy(() => import('./pages/calculator/CalculatorPage.tsx')),
  },
  { path: '/changes', label: 'Changes', page: lazy(() => import('./pages/changes/ChangesPage.tsx')) },
  { path: '/changes/:id', page: lazy(() => import('./pages/changes/ChangePage.tsx')) },
  { path: '/watching', label: 'Watch list', page: lazy(() => import('./pages/watching/WatchingPage.tsx')) },
  { path: '/webhooks', label: 'Webhooks', page: lazy(() => import('./pages/webhooks/WebhooksPage.tsx')) },
  { path: '/webhooks/:id', page: lazy(() => import('./pages/webhooks/WebhookPage.tsx')) },
  { path: '/webhooks/deliveries/:id', page: lazy(() => import('./pages/webhooks/DeliveryPage.tsx')) },
  {
    path: '/review',
    label: 'Review',
    forOperators: true,
    page: lazy(() => import('./pages/review/ReviewPage.tsx')),
  },
  { path: '/review/:id', forOperators: true, page: lazy(() => import('./pages/review/HoldPage.tsx')) },
  { path: '/billing', label: 'Billing', page: lazy(() => import('./pages/billing/BillingPage.tsx')) },
  {
    path: '/account',
    label: 'Account settings',
    page: lazy(() => import('./pages/account/AccountPage.tsx')),
  },
  {
    path: '/account/members',
    label: 'Members',
    page: lazy(() => import('./pages/account/MembersPage.tsx')),
  },
  {
    path: '/notifications',
    label: 'Notifications',
    page: lazy(() => import('./pages/notifications/NotificationsPage.tsx')),
  },
  {
    path: '/account/sessions',
    label: 'Sign-in and security',
    page: lazy(() => import('./pages/account/SessionsPage.tsx')),
  },
  {
    path: '/account/audit-log',
    label: 'Audit log',
    page: lazy(() => import('./pages/account/AuditLogPage.tsx')),
  },
  { path: '/accept-invitation', page: lazy(() => import('./pages/account/AcceptInvitationPage.tsx')) },
]

/** Pages for a user who is not signed in. */
export const openRoutes: readonly Route[] = [
  { path: '/sign-in', page: lazy(() => import('./pages/auth/SignInPage.tsx')) },
  { path: '/sign-up', page: lazy(() => import('./pages/auth/SignUpPage.tsx')) },
  { path: '/finish-sign-up', page: lazy(() => import('./pages/auth/FinishSignUpPage.tsx')) },
  { path: '/forgot-password', page: lazy(() => import('./pages/auth/ForgotPasswordPage.tsx')) },
  { path: '/reset-password', page: lazy(() => import('./pages/auth/ResetPasswordPage.tsx')) },
]

/** Pages about no account, open to a user without one too. */
const personalPaths: ReadonlySet<string> = new Set([
  '/account/sessions',
  '/notifications',
  '/accept-invitation',
  '/review',
  '/review/:id',
])

/** The pages that a user has. */
export function listRoutes({ account, operator }: Pick<Schemas['Me'], 'account' | 'operator'>): Route[] {
  return routes.filter(
    ({ path, forOperators }) =>
      (account !== null || personalPaths.has(path)) && (forOperators !== true || operator !== null),
  )
}

/** The page that `/dashboard` opens. */
export const homePath = '/overview'
