import { z } from 'zod'
import { parseDuration } from '../duration.ts'
import {
  addressRanges,
  count,
  httpUrl,
  list,
  matching,
  optionalPostgresUrl,
  optionalReplicaUrl,
  port,
  variable,
} from './variable.ts'

// Where the server listens, what it works with, and how it is reached.

const host = (description: string) =>
  variable({
    schema: z.string().min(1),
    wants: 'a host name or address',
    default: '127.0.0.1',
    description,
  })

/** As many as a page shows. */
const cellHostsMax = 200

const cellHosts = list
  .transform((pairs) =>
    pairs.map((pair) => {
      const [, plus, mark = '', url = ''] = /^(\+?)([^=]*)=(.*)$/.exec(pair) ?? []
      return { mark, url: url.replace(/\/+$/, ''), takesSignUps: plus === '+' }
    }),
  )
  .refine(
    (cells) =>
      cells.length <= cellHostsMax &&
      new Set(cells.map(({ mark }) => mark)).size === cells.length &&
      cells.filter(({ takesSignUps }) => takesSignUps).length <= 1 &&
      cells.every(
        ({ mark, url }) =>
          /^([0-9A-Za-z]{2}|home)$/.test(mark) && httpUrl.safeParse(url).success && isOrigin(url),
      ),
  )

const drainDelayMsMax = 60_000

/**
 * For `cells join`, `cells status` and `cells leave` alone, whose help names it: the hub's database, as PostgreSQL
 * reaches it from here. It holds a password, which must not stand on a command line.
 */
export const hubUrlVariable = optionalPostgresUrl('The database of the hub whose prices this cell follows.')

/** What is in force where the variable is not set. */
export const trustedProxiesDefault = '127.0.0.0/8,::1/128'

export const servingVariables = {
  PORT: port('8080', 'Port of the API. 0 takes a free one.'),
  HOST: host('Address the API listens on. The container image sets 0.0.0.0.'),
  ADMIN_PORT: port(
    '9090',
    'Port of `/live`, `/ready`, `/database`, `/health` and `/metrics`. 0 takes a free one.',
  ),
  ADMIN_HOST: host('Address the admin port listens on. Keep it private.'),
  DATABASE_URL: optionalPostgresUrl(
    'PostgreSQL 15 or newer. Unset: the server runs its own PostgreSQL under `DATA_DIR`.',
  ),
  DATABASE_DIRECT_URL: optionalPostgresUrl(
    'The same database without the pooler that `DATABASE_URL` leads to, as the same role: for counting, for the queue and its listener, and for migrations. Unset: `DATABASE_URL` is used for all.',
  ),
  DATABASE_OWNER_URL: optionalPostgresUrl(
    'The same database, as the role that owns it and migrates. Unset: the role of `DATABASE_URL` does.',
  ),
  DATABASE_REPLICA_URL: optionalReplicaUrl(
    'A streaming replica of that database, to read pages from. One that lags or is away costs nobody an answer. Unset: none.',
  ),
  CELL_MARK: variable({
    schema: matching(/^[0-9A-Za-z]{2}$/).optional(),
    wants: 'two characters of 0-9, A-Z and a-z, such as a1',
    description:
      'The mark of this database where several serve one installation: its keys begin with `rc_live_` and these two characters, by which a proxy finds it. For good. Unset: keys have no mark.',
  }),
  CELL_HOSTS: variable({
    schema: cellHosts,
    wants:
      'cells with their addresses, such as a1=https://a1.prices.example,+b2=https://b2.prices.example, each once, and at most one with a plus',
    default: '',
    description:
      'Where people of other cells sign in: marks and addresses, for a link beside the form to sign in. `home` is the one without a mark. A plus before a mark leads those who sign up to that cell.',
  }),
  DATABASE_POOL_SIZE: count(
    '10',
    'Most connections to PostgreSQL for requests of the API, in one server process. It holds more besides: see "Connections" in docs/operations.md.',
  ),
  DATA_DIR: variable({
    schema: z.string().min(1),
    wants: 'a folder',
    default: './.data',
    description: 'Where the embedded PostgreSQL keeps its files. Relative to the repository root.',
  }),
  SECRETS_KEY: variable({
    schema: list.refine((keys) => keys.length > 0 && keys.every(isSecretsKey)).optional(),
    wants: '32 random bytes in base64 (openssl rand -base64 32), or several of them with commas between',
    description:
      'Keys for secrets of webhooks and second factors at rest: the first encrypts, all decrypt. Needed by `serve` with `DATABASE_URL`; the embedded default makes and keeps its own.',
    secret: true,
  }),
  PUBLIC_URL: variable({
    schema: httpUrl.transform((text) => text.replace(/\/+$/, '')).optional(),
    wants: 'an http or https URL',
    description:
      'Where the server is reached from outside, which the hosts of price sources are told too. Unset: `http://localhost:<PORT>`.',
  }),
  CORS_ORIGINS: variable({
    schema: list.refine((origins) => origins.every(isOrigin)),
    wants: 'origins such as https://app.example, with commas between',
    default: '',
    description: 'Browser origins that may call the API. Empty: none.',
  }),
  TRUSTED_PROXIES: addressRanges(
    trustedProxiesDefault,
    'Proxies whose `X-Forwarded-For` is believed. The dashboard counts attempts to sign in by the address of the client.',
  ),
  CONNECTIONS_MAX: count(
    '10000',
    'Connections of clients that one server process has open at a time. At the limit those that are idle longest make room. Each takes a file descriptor.',
  ),
  CONNECTIONS_PER_CLIENT_MAX: count(
    '1000',
    'The same for one client: an address, or an IPv6 /64. `TRUSTED_PROXIES` are not counted so.',
  ),
  DRAIN_DELAY: variable({
    schema: z.string().transform(parseDuration).pipe(z.number().max(drainDelayMsMax)).optional(),
    wants: 'a time such as 5s, at most 60s',
    description:
      'How long after SIGTERM `/ready` says 503 before the server takes no more connections, so that balancers see it leave. Unset: 5 s where `PUBLIC_URL` is https or `TRUSTED_PROXIES` is set, since a proxy is in front then; else none. Ctrl+C never waits.',
  }),
  LOG_LEVEL: variable({
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    wants: 'one of trace, debug, info, warn, error, fatal, silent',
    default: 'info',
    description: 'Least severe log line that is written.',
  }),
} as const

function isOrigin(text: string): boolean {
  return httpUrl.safeParse(text).success && new URL(text).origin === text
}

function isSecretsKey(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === 32
}
