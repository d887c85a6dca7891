import type { BetterAuthOptions } from 'better-auth'
import type { Db } from '../../database/connect.ts'
import { newId, type IdPrefix } from '../../platform/ids.ts'
import type { Mailer } from '../../platform/mailer.ts'
import { datesForAuth } from './auth-dates.ts'

// Users, passwords, sessions and mailed links, by better-auth on our database. Nobody but `sign-in.ts` speaks to it,
// and its own endpoints are reached through the dashboard's contract alone.

export interface AuthOptions {
  db: Db
  /** Signs cookies and mailed links. */
  secret: string
  /** Where the server is reached from outside, without a trailing slash. */
  publicUrl: string
  sendMail: Mailer
}

/** Set by us on every request to better-auth, whatever the client sent. */
export const clientAddressHeader = 'x-ratecard-client-address'

export const cookiePrefix = '__Host-ratecard'
const verificationSeconds = 24 * 3_600
const resetSeconds = 3_600
const sessionSeconds = 30 * 24 * 3_600
const renewalSeconds = 24 * 3_600
export const passwordLengthMin = 12
export const passwordLengthMax = 128

const idPrefixes: Partial<Record<string, IdPrefix>> = { user: 'usr', session: 'ses' }

export function authOptions({ db, secret, publicUrl, sendMail }: AuthOptions) {
  return {
    appName: 'Ratecard',
    secret,
    baseURL: new URL(publicUrl).origin,
    basePath: '/auth',
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: { db: db.withPlugin(datesForAuth), type: 'postgres', transaction: true },
    user: {
      modelName: 'auth_users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'auth_sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      additionalFields: {
        lookedAt: { type: 'string', required: false, input: false, fieldName: 'account_id' },
      },
      expiresIn: sessionSeconds,
      updateAge: renewalSeconds,
    },
    account: {
      modelName: 'auth_credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'auth_verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'auth_rate_limits',
      fields: { lastRequest: 'last_request' },
      window: 60,
      max: 60,
      customRules: {
        '/sign-in/email': { window: 60, max: 10 },
        '/sign-up/email': { window: 60, max: 10 },
        '/change-password': { window: 60, max: 10 },
        '/reset-password': { window: 60, max: 10 },
        '/request-password-reset': { window: 60, max: 5 },
        '/send-verification-email': { window: 60, max: 5 },
      },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: resetSeconds,
      sendResetPassword: ({ user, token }) =>
        sendMail({
          to: user.email,
          subject: 'Choose a new Ratecard password',
          text: 'Somebody, hopefully you, asked for a new password. This link works once, for an hour. If it was not you, do nothing.',
          link: `${publicUrl}/dashboard/reset-password#token=${token}`,
        }),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: verificationSeconds,
      sendVerificationEmail: ({ user, token }) =>
        sendMail({
          to: user.email,
          subject: 'Confirm your address for Ratecard',
          text: 'Follow this link within a day to finish signing up. If it was not you who signed up, do nothing.',
          link: `${publicUrl}/dashboard/verify-email#token=${token}`,
        }),
    },
    advanced: {
      // Ours comes first and is stricter: http/dashboard/same-origin.ts.
      disableCSRFCheck: true,
      cookiePrefix,
      // It would put `__Secure-` in front of our own prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: ({ model }) => newId(idPrefixes[model] ?? 'auth') },
    },
  } satisfies BetterAuthOptions
}

export type OpenAuth = ReturnType<typeof createAuth>

/** Opened when somebody signs in or comes with a session: until then a server does without its memory, some 15 MB. */
export function createAuth(options: AuthOptions) {
  const open = async () => (await import('better-auth')).betterAuth(authOptions(options))
  let opened: ReturnType<typeof open> | null = null
  return () => (opened ??= open())
}
