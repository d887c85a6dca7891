import { lazy, type ComponentType } from 'react'

/** A page for who is signed in. Its script is fetched when it is opened. */
export interface Route {
  path: string
  /** In the navigation; null: reached from another page. */
  label: string | null
  page: ComponentType
}

export const routes: readonly Route[] = [
  { path: '/keys', label: 'Keys', page: lazy(() => import('./pages/keys/KeysPage.tsx')) },
]

/** Pages for who is not. */
export const openRoutes: readonly Omit<Route, 'label'>[] = [
  { path: '/sign-in', page: lazy(() => import('./pages/auth/SignInPage.tsx')) },
  { path: '/sign-up', page: lazy(() => import('./pages/auth/SignUpPage.tsx')) },
  { path: '/verify-email', page: lazy(() => import('./pages/auth/VerifyEmailPage.tsx')) },
  { path: '/forgot-password', page: lazy(() => import('./pages/auth/ForgotPasswordPage.tsx')) },
  { path: '/reset-password', page: lazy(() => import('./pages/auth/ResetPasswordPage.tsx')) },
]

/** What `/dashboard` opens. */
export const homePath = '/keys'
