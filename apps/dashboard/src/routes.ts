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

const loads: (() => Promise<unknown>)[] = []

function page(load: () => Promise<{ default: ComponentType }>): ComponentType {
  loads.push(load)
  return lazy(load)
}

/** Fetches the scripts of all pages while the browser has nothing else to do: they open without a network, too. */
export function prefetchPages(): void {
  const [load] = loads.splice(0, 1)
  if (load) whenIdle(() => void load().then(prefetchPages, () => loads.push(load)))
}

/** Safari knows no idle time. */
const whenIdle: (work: () => void) => void =
  typeof requestIdleCallback === 'function'
    ? (work) => requestIdleCallback(work)
    : (work) => setTimeout(work, 200)

/** Pages for a signed-in user. */
export const routes: readonly Route[] = [
  { path: '/overview', label: 'Overview', page: page(() => import('./pages/overview/OverviewPage.tsx')) },
  { path: '/keys', label: 'Keys', page: page(() => import('./pages/keys/KeysPage.tsx')) },
  { path: '/usage', label: 'Usage', page: page(() => import('./pages/usage/UsagePage.tsx')) },
  { path: '/requests', label: 'Requests', page: page(() => import('./pages/requests/RequestsPage.tsx')) },
  { path: '/watching', label: 'Watch list', page: page(() => import('./pages/watching/WatchingPage.tsx')) },
  { path: '/webhooks', label: 'Webhooks', page: page(() => import('./pages/webhooks/WebhooksPage.tsx')) },
  { path: '/webhooks/:id', page: page(() => import('./pages/webhooks/WebhookPage.tsx')) },
  { path: '/webhooks/deliveries/:id', page: page(() => import('./pages/webhooks/DeliveryPage.tsx')) },
  {
    path: '/review',
    label: 'Review',
    forOperators: true,
    page: page(() => import('./pages/review/ReviewPage.tsx')),
  },
  { path: '/review/:id', forOperators: true, page: page(() => import('./pages/review/HoldPage.tsx')) },
  { path: '/billing', label: 'Billing', page: page(() => import('./pages/billing/BillingPage.tsx')) },
  {
    path: '/account',
    label: 'Account settings',
    page: page(() => import('./pages/account/AccountPage.tsx')),
  },
  {
    path: '/account/members',
    label: 'Members',
    page: page(() => import('./pages/account/MembersPage.tsx')),
  },
  {
    path: '/notifications',
    label: 'Notifications',
    page: page(() => import('./pages/notifications/NotificationsPage.tsx')),
  },
  {
    path: '/account/sessions',
    label: 'Sign-in and security',
    page: page(() => import('./pages/account/SessionsPage.tsx')),
  },
  {
    path: '/account/audit-log',
    label: 'Audit log',
    page: page(() => import('./pages/account/AuditLogPage.tsx')),
  },
  { path: '/accept-invitation', page: page(() => import('./pages/account/AcceptInvitationPage.tsx')) },
]

/** Sections of the public pages. Below `/dashboard` the server leads each of them to its page. */
export const publicSections = [
  '/models',
  '/vendors',
  '/platforms',
  '/prices',
  '/compare',
  '/calculator',
  '/changes',
]

/** Pages for a user who is not signed in. */
export const openRoutes: readonly Route[] = [
  { path: '/sign-in', page: page(() => import('./pages/auth/SignInPage.tsx')) },
  { path: '/sign-up', page: page(() => import('./pages/auth/SignUpPage.tsx')) },
  { path: '/finish-sign-up', page: page(() => import('./pages/auth/FinishSignUpPage.tsx')) },
  { path: '/forgot-password', page: page(() => import('./pages/auth/ForgotPasswordPage.tsx')) },
  { path: '/reset-password', page: page(() => import('./pages/auth/ResetPasswordPage.tsx')) },
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
