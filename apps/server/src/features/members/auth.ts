import type { BetterAuthOptions } from 'better-auth'
import type { twoFactor as TwoFactorPlugin } from 'better-auth/plugins/two-factor'
import type { KyselyPlugin } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { newId, type IdPrefix } from '../../platform/ids.ts'
import type { vouchedSession as VouchedSessionPlugin } from './vouched-session.ts'

// Users, passwords, sessions and mailed links, by better-auth on our database. Only `sign-in.ts` calls it. Clients
// reach its endpoints through the dashboard's contract alone.

/** The context from which better-auth's secrets are derived. */
export const authPurpose = 'dashboard sessions'

/** One of better-auth's secrets, and the name of the key that it was derived from. */
export interface AuthSecret {
  /** Hexadecimal. */
  keyId: string
  secret: string
}

/** The number by which better-auth names it in encrypted values. */
export function parseVersion({ keyId }: AuthSecret): number {
  return Number.parseInt(keyId, 16)
}

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

/** The plugins, which are loaded together with better-auth. */
interface Plugins {
  twoFactor: typeof TwoFactorPlugin
  vouchedSession: typeof VouchedSessionPlugin
}

export function authOptions({ db, secrets, publicUrl }: AuthOptions, { twoFactor, vouchedSession }: Plugins) {
  return {
    appName: 'Ratecard',
    secrets: secrets.map((one) => ({ version: parseVersion(one), value: one.secret })),
    baseURL: new URL(publicUrl).origin,
    basePath: '/auth',
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Without it, a database error would become a bare answer of 500. Refusals are answers either way.
    onAPIError: { throw: true },
    database: { db: db.withPlugin(datesForAuth), type: 'postgres', transaction: true },
    user: {
      modelName: 'auth_users',
      fields: inSnakeCase('emailVerified', 'createdAt', 'updatedAt'),
    },
    session: {
      modelName: 'auth_sessions',
      fields: inSnakeCase('userId', 'expiresAt', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt'),
      additionalFields: {
        lookedAt: { type: 'string', required: false, input: false, fieldName: 'account_id' },
      },
      expiresIn: sessionSeconds,
      updateAge: renewalSeconds,
    },
    account: {
      modelName: 'auth_credentials',
      fields: {
        ...inSnakeCase('userId', 'accountId', 'providerId', 'accessToken', 'refreshToken', 'idToken'),
        ...inSnakeCase('accessTokenExpiresAt', 'refreshTokenExpiresAt', 'createdAt', 'updatedAt'),
      },
    },
    verification: {
      modelName: 'auth_verifications',
      fields: inSnakeCase('expiresAt', 'createdAt', 'updatedAt'),
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
          user: { fields: inSnakeCase('twoFactorEnabled') },
          twoFactor: {
            modelName: 'auth_two_factors',
            fields: inSnakeCase('userId', 'backupCodes', 'failedVerificationCount', 'lockedUntil'),
          },
        },
      }),
      vouchedSession,
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

/** The columns of better-auth's fields. */
function inSnakeCase<Field extends string>(...fields: Field[]): Record<Field, string> {
  const columns = fields.map((field) => [
    field,
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ])
  return Object.fromEntries(columns) as Record<Field, string>
}

/** The columns with instants; those of tokens are named after the token. */
const instants = /^(created_at|updated_at|locked_until|(access_token_|refresh_token_)?expires_at)$/

/**
 * better-auth compares instants as `Date`. Our connections return them as text, which keeps the microseconds: as text
 * no session would ever end.
 */
const datesForAuth: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => Promise.resolve({ ...result, rows: result.rows.map(withDates) }),
}

function withDates(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      instants.test(name) && typeof value === 'string' ? asDate(value) : value,
    ]),
  )
}

/** @param text as PostgreSQL writes it in UTC: `2026-11-21 09:30:00.123456+00` */
function asDate(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z'))
}

export type OpenAuth = ReturnType<typeof createAuth>

/** Takes some 200 ms of CPU time. A server does it before it listens; otherwise a customer would wait for it. */
export const loadAuth = () =>
  Promise.all([
    import('better-auth'),
    import('better-auth/plugins/two-factor'),
    import('./vouched-session.ts'),
  ])

/** Created at the first sign-in or the first request with a session. */
export function createAuth(options: AuthOptions) {
  const open = async () => {
    const [{ betterAuth }, { twoFactor }, { vouchedSession }] = await loadAuth()
    return betterAuth(authOptions(options, { twoFactor, vouchedSession }))
  }
  let opened: ReturnType<typeof open> | null = null
  return () => (opened ??= open())
}
