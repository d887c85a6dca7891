import {
  Bell,
  ChartColumn,
  CreditCard,
  Gauge,
  KeyRound,
  List,
  ScrollText,
  Settings,
  ShieldCheck,
  Stamp,
  Star,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import { lazy, type ComponentType } from 'react'
import type { Schemas } from '../contract/index.ts'

/** Groups of the navigation. What belongs to the account is in its menu, and above each of these pages. */
export type MenuGroup = 'Home' | 'Models' | 'API' | 'Operator' | 'Account'

/** A page. Its script is fetched when it is opened. */
export interface Route {
  path: string
  /** Its place in the navigation, in the order of the routes; left out: reached from another page. */
  menu?: { group: MenuGroup; label: string; icon: LucideIcon }
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
  {
    path: '/overview',
    menu: { group: 'Home', label: 'Overview', icon: Gauge },
    page: page(() => import('./pages/overview/OverviewPage.tsx')),
  },
  {
    path: '/watching',
    menu: { group: 'Models', label: 'Watch list', icon: Star },
    page: page(() => import('./pages/watching/WatchingPage.tsx')),
  },
  {
    path: '/keys',
    menu: { group: 'API', label: 'Keys', icon: KeyRound },
    page: page(() => import('./pages/keys/KeysPage.tsx')),
  },
  {
    path: '/usage',
    menu: { group: 'API', label: 'Usage', icon: ChartColumn },
    page: page(() => import('./pages/usage/UsagePage.tsx')),
  },
  {
    path: '/requests',
    menu: { group: 'API', label: 'Requests', icon: List },
    page: page(() => import('./pages/requests/RequestsPage.tsx')),
  },
  {
    path: '/webhooks',
    menu: { group: 'API', label: 'Webhooks', icon: Webhook },
    page: page(() => import('./pages/webhooks/WebhooksPage.tsx')),
  },
  { path: '/webhooks/:id', page: page(() => import('./pages/webhooks/WebhookPage.tsx')) },
  { path: '/webhooks/deliveries/:id', page: page(() => import('./pages/webhooks/DeliveryPage.tsx')) },
  {
    path: '/review',
    menu: { group: 'Operator', label: 'Review', icon: Stamp },
    forOperators: true,
    page: page(() => import('./pages/review/ReviewPage.tsx')),
  },
  { path: '/review/:id', forOperators: true, page: page(() => import('./pages/review/HoldPage.tsx')) },
  {
    path: '/account',
    menu: { group: 'Account', label: 'Account settings', icon: Settings },
    page: page(() => import('./pages/account/AccountPage.tsx')),
  },
  {
    path: '/account/members',
    menu: { group: 'Account', label: 'Members', icon: Users },
    page: page(() => import('./pages/account/MembersPage.tsx')),
  },
  {
    path: '/billing',
    menu: { group: 'Account', label: 'Billing', icon: CreditCard },
    page: page(() => import('./pages/billing/BillingPage.tsx')),
  },
  {
    path: '/notifications',
    menu: { group: 'Account', label: 'Notifications', icon: Bell },
    page: page(() => import('./pages/notifications/NotificationsPage.tsx')),
  },
  {
    path: '/account/sessions',
    menu: { group: 'Account', label: 'Sign-in and security', icon: ShieldCheck },
    page: page(() => import('./pages/account/SessionsPage.tsx')),
  },
  {
    path: '/account/audit-log',
    menu: { group: 'Account', label: 'Audit log', icon: ScrollText },
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
