import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseDuration } from './duration.ts'
import { projectRoot } from './paths.ts'
import { UserError } from './user-error.ts'

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535)
const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number)
const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text)
  if (ms !== null && ms > 0) return ms
  context.addIssue({ code: 'custom', message: 'not a time' })
  return z.NEVER
})
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** A price source that workers read by themselves. */
const scheduledSource = z.strictObject({
  source: z.string().min(1),
  /** Unset: what the installation carries of it. */
  url: z.string().refine(isSourceUrl).optional(),
  /** From one run to the next, as `parseDuration` reads it. */
  every: z.string().refine(isInterval),
})
export type ScheduledSource = z.output<typeof scheduledSource>

const scheduledSources = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.array(scheduledSource))
  .refine((items) => new Set(items.map(({ source }) => source)).size === items.length)

interface Variable<T> {
  schema: z.ZodType<T, string | undefined>
  /** What a right value looks like; it stands in the error for a wrong one. */
  wants: string
  description: string
  default?: string
  secret?: true
}
const variable = <T>(definition: Variable<T>): Variable<T> => definition

/** Every variable the server reads. `docs/operations.md` has the same table; a test compares the two. */
export const variables = {
  PORT: variable({
    schema: port,
    wants: 'a port from 0 to 65535',
    default: '8080',
    description: 'Port of the API. 0 takes a free one.',
  }),
  HOST: variable({
    schema: z.string().min(1),
    wants: 'a host name or address',
    default: '127.0.0.1',
    description: 'Address the API listens on. The container image sets 0.0.0.0.',
  }),
  ADMIN_PORT: variable({
    schema: port,
    wants: 'a port from 0 to 65535',
    default: '9090',
    description: 'Port of `/live`, `/ready` and `/metrics`. 0 takes a free one.',
  }),
  ADMIN_HOST: variable({
    schema: z.string().min(1),
    wants: 'a host name or address',
    default: '127.0.0.1',
    description: 'Address the admin port listens on. Keep it private.',
  }),
  DATABASE_URL: variable({
    schema: z.string().refine(isPostgresUrl).optional(),
    wants: 'a URL such as postgres://user:password@host:5432/database',
    description: 'PostgreSQL 15 or newer. Unset: the server runs its own PostgreSQL under `DATA_DIR`.',
    secret: true,
  }),
  DATABASE_OWNER_URL: variable({
    schema: z.string().refine(isPostgresUrl).optional(),
    wants: 'a URL such as postgres://user:password@host:5432/database',
    description:
      'The same database, as the role that owns it and migrates. Unset: the role of `DATABASE_URL` does.',
    secret: true,
  }),
  DATABASE_REPLICA_URL: variable({
    schema: z.string().refine(isPostgresUrl).optional(),
    wants: 'a URL such as postgres://user:password@host:5432/database',
    description:
      'A streaming replica of that database, to read pages from. One that lags or is away costs nobody an answer. Unset: none.',
    secret: true,
  }),
  DATABASE_POOL_SIZE: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '10',
    description: 'Connections to PostgreSQL that one server process holds at most to serve the API.',
  }),
  DASHBOARD_POOL_SIZE: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '4',
    description:
      'The same for what people click, the dashboard and the public pages: apart, so that they and programs cannot take each other’s.',
  }),
  DATA_DIR: variable({
    schema: z.string().min(1),
    wants: 'a folder',
    default: './.data',
    description: 'Where the embedded PostgreSQL keeps its files. Relative to the repository root.',
  }),
  PAGES_MEMORY_MIB: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '24',
    description:
      'Memory for the pages of lists that a process keeps, in MiB. Pages that are asked for rarely make room for others.',
  }),
  SECRETS_KEY: variable({
    schema: list.refine((keys) => keys.length > 0 && keys.every(isSecretsKey)).optional(),
    wants: '32 random bytes in base64 (openssl rand -base64 32), or several of them with commas between',
    description:
      'Keys for secrets of webhooks and second factors at rest: the first encrypts, all decrypt. Needed by `serve` with `DATABASE_URL`; the embedded default makes and keeps its own.',
    secret: true,
  }),
  PUBLIC_URL: variable({
    schema: z.string().refine(isHttpUrl).transform(withoutTrailingSlash).optional(),
    wants: 'an http or https URL',
    description: 'Where the server is reached from outside. Unset: `http://localhost:<PORT>`.',
  }),
  UPGRADE_URL: variable({
    schema: z.string().refine(isHttpUrl).optional(),
    wants: 'an http or https URL',
    description: 'Sent as `upgrade_url` with 402 and 403. Unset: `PUBLIC_URL/dashboard/billing`.',
  }),
  TOPUP_URL: variable({
    schema: z.string().refine(isHttpUrl).optional(),
    wants: 'an http or https URL',
    description:
      'Sent as `topup_url` with 429 and as `topup.purchase_url`. Unset: `PUBLIC_URL/dashboard/billing`.',
  }),
  CORS_ORIGINS: variable({
    schema: list.refine((origins) => origins.every(isOrigin)),
    wants: 'origins such as https://app.example, with commas between',
    default: '',
    description: 'Browser origins that may call the API. Empty: none.',
  }),
  TRUSTED_PROXIES: variable({
    schema: list.refine((ranges) => ranges.every(isCidr)),
    wants: 'address ranges such as 10.0.0.0/8, with commas between',
    default: '127.0.0.0/8,::1/128',
    description:
      'Proxies whose `X-Forwarded-For` is believed. The dashboard counts attempts to sign in by the address of the client.',
  }),
  CONNECTIONS_MAX: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '10000',
    description:
      'Connections of clients that one server process has open at a time. At the limit those that are idle longest make room. Each takes a file descriptor.',
  }),
  CONNECTIONS_PER_CLIENT_MAX: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '1000',
    description: 'The same for one client: an address, or an IPv6 /64. `TRUSTED_PROXIES` are not counted so.',
  }),
  SMTP_URL: variable({
    schema: z.string().refine(isSmtpUrl).optional(),
    wants: 'a URL such as smtps://user:password@mail.example',
    description:
      'Server that mails the links to finish signing up, to choose a new password and to join an account. Unset: they are logged, as warnings, which only a server that is tried out does.',
    secret: true,
  }),
  MAIL: variable({
    schema: z.literal('log').optional(),
    wants: 'log, or nothing',
    description:
      '`log` lets a server with an `https` address run without `SMTP_URL`: whoever reads its log can sign in as anybody. Unset: it refuses to start.',
  }),
  MAIL_FROM: variable({
    schema: z.string().min(3).max(320),
    wants: 'an address such as Ratecard <no-reply@prices.example>',
    default: 'Ratecard <no-reply@localhost>',
    description: 'Sender of those mails.',
  }),
  BILLING_CONTACT: variable({
    schema: z.string().min(3).max(320).optional(),
    wants: 'an e-mail address or an http or https URL',
    description: 'Whom the billing page names for what it cannot do itself.',
  }),
  STRIPE_SECRET_KEY: variable({
    schema: z
      .string()
      .regex(/^[sr]k_\w+$/)
      .optional(),
    wants: 'a secret key of Stripe, sk_… or rk_…',
    description: 'Sells plans and packs through Stripe. Unset: an operator grants them.',
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: variable({
    schema: z
      .string()
      .regex(/^whsec_\S+$/)
      .optional(),
    wants: 'the signing secret of a Stripe webhook endpoint, whsec_…',
    description:
      'Verifies what Stripe sends to `/dashboard/api/billing/stripe`. Needed with `STRIPE_SECRET_KEY`.',
    secret: true,
  }),
  STRIPE_PRICE_DEVELOPER: variable({
    schema: z
      .string()
      .regex(/^price_\w+$/)
      .optional(),
    wants: 'the id of a price at Stripe, price_…',
    description: 'Recurring price of the Developer plan at Stripe. Needed with `STRIPE_SECRET_KEY`.',
  }),
  STRIPE_PRICE_PACK: variable({
    schema: z
      .string()
      .regex(/^price_\w+$/)
      .optional(),
    wants: 'the id of a price at Stripe, price_…',
    description: 'Price of one top-up pack at Stripe. Needed with `STRIPE_SECRET_KEY`.',
  }),
  STRIPE_API_URL: variable({
    schema: z.string().refine(isHttpUrl).optional(),
    wants: 'an http or https URL',
    description: 'Where Stripe is reached, for tests. Unset: Stripe itself.',
  }),
  LOG_LEVEL: variable({
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    wants: 'one of trace, debug, info, warn, error, fatal, silent',
    default: 'info',
    description: 'Least severe log line that is written.',
  }),
  DAILY_LIMIT_SCALE: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '100000',
    description: 'Requests per key and UTC day on the Scale plan.',
  }),
  DAILY_LIMIT_TEAM: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '100000',
    description: 'Requests per key and UTC day on the Team plan.',
  }),
  DAILY_LIMIT_ENTERPRISE: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '1000000',
    description: 'Requests per key and UTC day on the Enterprise plan.',
  }),
  KEYS_MAX_FREE: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '2',
    description: 'Active keys an account may hold without a paid plan.',
  }),
  KEYS_MAX_PAID: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '10',
    description: 'Active keys an account may hold on a paid plan.',
  }),
  WEBHOOK_ALLOW_CIDRS: variable({
    schema: list.refine((ranges) => ranges.every(isCidr)),
    wants: 'address ranges such as 10.0.0.0/8, with commas between',
    default: '',
    description: 'Private address ranges that webhook URLs may point to after all.',
  }),
  WEBHOOK_CONNECT_TIMEOUT: variable({
    schema: duration,
    wants: 'a time such as 500ms or 5s',
    default: '5s',
    description: 'Longest a connection to an endpoint may take, TLS included.',
  }),
  WEBHOOK_TIMEOUT: variable({
    schema: duration.refine((ms) => ms <= 20_000),
    wants: 'a time such as 15s, at most 20s',
    default: '15s',
    description: 'Longest an attempt may take: connection, headers and body together. At most 20 s.',
  }),
  WEBHOOK_RETRY_SCHEDULE: variable({
    schema: z
      .string()
      .transform((text, context) => {
        const delays = text.split(',').map(parseDuration)
        if (delays.every((delay) => delay !== null)) return delays
        context.addIssue({ code: 'custom', message: 'not a list of times' })
        return z.NEVER
      })
      .optional(),
    wants: 'the delay before each attempt, such as 0s,5s,5m',
    description:
      'Delay before each attempt of a delivery. Unset: `0s,5s,5m,30m,2h,5h,10h,14h,20h,24h`, and 60 s at least after a time-out, 429, 502, 503 or 504.',
  }),
  WEBHOOK_CA_FILE: variable({
    schema: z.string().min(1).optional(),
    wants: 'a file with certificates in PEM',
    description:
      'Certificate authorities to trust besides the usual ones, for endpoints in networks of your own.',
  }),
  WEBHOOK_IN_FLIGHT_MAX: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '1000',
    description:
      'Attempts in flight at a time, in one process. A fifth of them is kept for endpoints that timed out last.',
  }),
  WEBHOOK_ACCOUNT_IN_FLIGHT_MAX: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '500',
    description: 'Attempts in flight at a time for one account, in one process.',
  }),
  WEBHOOK_ENDPOINT_IN_FLIGHT_MAX: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '2',
    description: 'Attempts in flight at a time to one endpoint, over all processes.',
  }),
  WEBHOOK_OFF_AFTER_DAYS: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '5',
    description:
      'Days without any success after which a subscription is switched off, once 3 deliveries are given up.',
  }),
  WEBHOOK_OFF_AFTER_EXHAUSTED: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '3',
    description: 'Deliveries given up without which a subscription is not switched off.',
  }),
  FEED_SOURCES: variable({
    schema: scheduledSources,
    wants:
      'a JSON array of sources, each once, such as [{"source":"litellm","url":"https://prices.example/litellm.json","every":"1h"}], with http, https or file URLs without a password and times from 1s to 30d',
    default: '[{"source":"genai-prices","every":"6h"}]',
    description:
      'Price sources that workers read by themselves: name, URL (`http`, `https` or `file`) and interval. Without a URL a source is read from the installation, if it carries it. `[]`: none.',
  }),
  ALERT_MIN_SEVERITY: variable({
    schema: z
      .string()
      .regex(/^[1-5]$/)
      .transform(Number),
    wants: 'a severity from 1 to 5',
    default: '3',
    description: 'Least severity of a change that the feed alerts subscriptions of.',
  }),
  DELIVERY_RETENTION_DAYS: variable({
    schema: count,
    wants: 'a whole number from 1',
    default: '30',
    description: 'Days after which finished deliveries and their attempts are forgotten.',
  }),
} as const

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> }
export type VariableName = keyof Values

export interface Config extends Values {
  /** Where relative file arguments of commands start: the folder in which the person called. */
  workingDirectory: string
}

/**
 * Reads the environment, once. A wrong value stops the program by a `UserError` that names the variable.
 * @param defaults what a command has in place of the usual defaults
 */
export function readConfig(
  env: Record<string, string | undefined> = process.env,
  defaults: { LOG_LEVEL?: string } = {},
): Config {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(variables).map(
      ([name, { schema, wants, secret, default: fallback }]) => {
        const given = env[name]?.trim() || undefined
        const result = schema.safeParse(given ?? (defaults as Record<string, string>)[name] ?? fallback)
        if (!result.success) {
          const shown = secret ? 'its value (not shown)' : JSON.stringify(given)
          problems.push(`${name} must be ${wants}; ${shown} is not.`)
        }
        return [name, result.data]
      },
    ),
  ) as Values
  if (problems.length > 0) throw new UserError(problems.join('\n'))

  return Object.freeze({
    ...values,
    DATA_DIR: resolve(projectRoot, values.DATA_DIR),
    // pnpm moves a script to the package's folder and says here where it was called.
    workingDirectory: env.INIT_CWD ?? process.cwd(),
  })
}

/** The addresses that answers and alerts name. */
export interface PublicUrls {
  base: string
  upgrade: string
  topup: string
}

/** @param port the port that is listened on: the configured one may be 0 */
export function publicUrls(config: Config, port: number): PublicUrls {
  const base = config.PUBLIC_URL ?? `http://localhost:${port}`
  const billing = `${base}/dashboard/billing`
  return { base, upgrade: config.UPGRADE_URL ?? billing, topup: config.TOPUP_URL ?? billing }
}

/**
 * Links to sign in are secrets: a server that people reach must not write them into its log unasked.
 * @throws UserError that says what to set
 */
export function requireMail({ SMTP_URL, MAIL, PUBLIC_URL }: Config): void {
  if (SMTP_URL !== undefined || MAIL === 'log' || !PUBLIC_URL?.startsWith('https:')) return
  throw new UserError(
    'SMTP_URL is not set, and PUBLIC_URL is https: links to sign in would stand in the log. Set SMTP_URL to a mail server, or MAIL=log when nobody reads the log who must not sign in as anybody.',
  )
}

/** The values in force with secrets left out, for people to look at. */
export function describeConfig(config: Config): { id: VariableName; value: string; description: string }[] {
  return Object.entries<Variable<unknown>>(variables).map(([name, { secret, description }]) => {
    const id = name as VariableName
    const value = id === 'FEED_SOURCES' ? JSON.stringify(config[id]) : config[id]
    const text = value === undefined ? '' : Array.isArray(value) ? value.join(',') : String(value)
    return { id, value: secret && text ? '(set)' : text, description }
  })
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isSourceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^(?:https?|file):$/.test(protocol) && username === '' && password === ''
}

const intervalMsMax = 30 * 86_400_000

function isInterval(text: string): boolean {
  const ms = parseDuration(text)
  return ms !== null && ms >= 1_000 && ms <= intervalMsMax
}

function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol)
}

function isOrigin(text: string): boolean {
  return isHttpUrl(text) && new URL(text).origin === text
}

function isSecretsKey(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === 32
}

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const family = isIP(address)
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
