import type { BetterAuthOptions } from 'better-auth'
import type { twoFactor as TwoFactorPlugin } from 'better-auth/plugins/two-factor'
import type { Db } from '../../database/connect.ts'
import { newId, type IdPrefix } from '../../platform/ids.ts'
import { datesForAuth } from './auth-dates.ts'
import { versionOf, type AuthSecret } from './auth-secrets.ts'

// Users, passwords, sessions and mailed links, by better-auth on our database. Only `sign-in.ts` calls it. Clients
// reach its endpoints through the dashboard's contract alone.

export interface AuthOptions {
  db: Db
  /** The first signs cookies and encrypts second factors. The others decrypt older values. */
  secrets: readonly AuthSecret[]
  /** The server's public address, without a trailing slash. */
  publicUrl: string
}

/** Set by us on every request to better-auth, whatever the client sent. */
export const clientAddressHeader = 'x-ratecard-client-address'

export const cookiePrefix = '__Host-ratecard'
/** Time for the second factor after the password. */
const challengeSeconds = 600
const sessionSeconds = 30 * 24 * 3_600
const renewalSeconds = 24 * 3_600
const passwordLengthMin = 12
const passwordLengthMax = 128

const idPrefixes: Partial<Record<string, IdPrefix>> = { user: 'usr', session: 'ses' }

/** @param twoFactor better-auth's plugin, which is loaded together with it */
export function authOptions({ db, secrets, publicUrl }: AuthOptions, twoFactor: typeof TwoFactorPlugin) {
  return {
    appName: 'Ratecard',
    secrets: secrets.map((one) => ({ version: versionOf(one), value: one.secret })),
    baseURL: new URL(publicUrl).origin,
    basePath: '/auth',
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Without it, a database error would become a bare answer of 500. Refusals are answers either way.
    onAPIError: { throw: true },
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
    // We count attempts, by user as well as by address: http/dashboard/limit-attempts.ts and signing-in.ts.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      // We make users, when they follow a mailed link, and set new passwords the same way.
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
    },
    plugins: [
      twoFactor({
        issuer: 'Ratecard',
        twoFactorCookieMaxAge: challengeSeconds,
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'auth_two_factors',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
    advanced: {
      // Our own check comes first and is stricter: http/dashboard/same-origin.ts.
      disableCSRFCheck: true,
      cookiePrefix,
      // It would put `__Secure-` before our own prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: ({ model }) => newId(idPrefixes[model] ?? 'auth') },
    },
  } satisfies BetterAuthOptions
}

export type OpenAuth = ReturnType<typeof createAuth>

/** Takes some 200 ms of CPU time. A server does it before it listens; otherwise a customer would wait for it. */
export const loadAuth = () => Promise.all([import('better-auth'), import('better-auth/plugins/two-factor')])

/** Created at the first sign-in or the first request with a session. */
export function createAuth(options: AuthOptions) {
  const open = async () => {
    const [{ betterAuth }, { twoFactor }] = await loadAuth()
    return betterAuth(authOptions(options, twoFactor))
  }
  let opened: ReturnType<typeof open> | null = null
  return () => (opened ??= open())
}
