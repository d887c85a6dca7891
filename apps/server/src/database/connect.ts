import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { budgets } from '../platform/budgets.ts'
import type { PoolFigures } from '../platform/figures/database.ts'
import type { Logger } from '../platform/logger.ts'
import { Client, type ClientConfig, type Settings } from './client.ts'
import { Dialect } from './dialect.ts'
import { timed } from '../platform/request-times.ts'
import { tracedStatement } from '../platform/tracing.ts'
import type { DB } from './generated/tables.ts'
import { nameStatement } from './prepared.ts'

export type Db = Kysely<DB>
export type Trx = Transaction<DB>

export interface ConnectOptions {
  connectionString: string
  connectionsMax?: number
  /** Longest it may take to get a connection; default 2 s. */
  connectTimeoutMs?: number
  /** Settings of the session, beside those of every session. */
  settings?: Settings
  /** Longest any statement may run; unset for imports and other operator's work, which have no reader waiting. */
  statementTimeoutMs?: number
  /** Called for connections that break while they are idle; the pool replaces those by itself. */
  onIdleError?: (error: Error) => void
}

// A transaction whose client fell silent keeps its locks for this long, and requests of its key and account wait for
// them.
const idleInTransactionTimeoutMs = 3_000

// Types that must not become a lossy JavaScript value: dates and instants stay text. Counts (int8) fit a number.
const int8Oid = 20
const asTextOids = new Set([1082, 1114, 1184, 1700])
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (asTextOids.has(oid)) return (text: string) => text
    if (oid === int8Oid) return Number
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown
  },
}

// The name of a database that moved leads elsewhere; connections that only read would stay with the old node for ever.
const maxLifetimeSeconds = 300

/** Pools by the Kysely that is given out, for their figures. */
const pools = new WeakMap<Db, pg.Pool>()

/** How many connections there are, and who waits for one. */
export function poolFigures(db: Db): PoolFigures {
  const pool = pools.get(db)
  if (!pool) throw new Error('The connection was not opened here.')
  const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = pool
  return { open, idle, waiting, max: options.max }
}

/** A pool of connections in UTC. Destroying the returned Kysely closes it. */
export function connect(options: ConnectOptions): Db {
  const { statementTimeoutMs } = options
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.connectionsMax ?? 4,
    connectionTimeoutMillis: options.connectTimeoutMs ?? budgets.connectMs,
    maxLifetimeSeconds,
    application_name: 'ratecard',
    keepAlive: true,
    types,
    settings: { ...timeouts(statementTimeoutMs), ...options.settings },
    ...(statementTimeoutMs !== undefined && { query_timeout: statementTimeoutMs + budgets.silenceMarginMs }),
  })
  pool.on('error', (error) => options.onIdleError?.(error))
  const db = new Kysely<DB>({ dialect: new Dialect({ pool }) })
  pools.set(db, pool)
  return db
}

/** The time-outs of a session. All of them in any case: the role may have others. */
export function timeouts(statementTimeoutMs: number | undefined): Settings {
  if (statementTimeoutMs === undefined)
    return { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' }
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(budgets.lockMs),
    idle_in_transaction_session_timeout: String(idleInTransactionTimeoutMs),
  }
}

/**
 * Kysely does not name statements; this pool does.
 *
 * `pg` gives up on a query after `query_timeout`, but leaves it running on a connection that goes back to the pool,
 * where the next query would wait behind it. This pool closes such a connection, and one to a node that takes no writes.
 */
class Pool extends pg.Pool {
  constructor(config: pg.PoolConfig & ClientConfig) {
    super({ ...config, Client: Client as unknown as new () => Client })
  }

  override async connect(): Promise<pg.PoolClient>
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback)
    return timed('queueMs', () => super.connect()).then(adapt)
  }
}

const silence = 'Query read timeout'
const readOnlyState = '25006'

/** Whether another session held a row or a table for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Whether PostgreSQL could not write for want of room. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown }).code === '53100'
}

/** Whether two transactions waited for each other, and this one was ended. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown }).code === '40P01'
}

/** Whether this node takes no writes. The name of the database may lead to another one by now. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === readOnlyState
}

function adapt(client: pg.PoolClient): pg.PoolClient {
  const query = client.query.bind(client)
  const release = client.release.bind(client)
  let silent = false
  let readOnly = false
  client.query = function (this: pg.PoolClient, ...args: unknown[]) {
    // Not even a rollback: it would wait as long again.
    if (silent) return Promise.reject(new Error(silence))
    const [text, values] = args
    const name = typeof text === 'string' ? nameStatement(text) : undefined
    const named = name === undefined ? args : [{ name, text, values }]
    const result = timed('queryMs', () =>
      tracedStatement(text, () => Reflect.apply(query, client, named) as Promise<unknown>),
    )
    return result.catch((error: unknown) => {
      if (error instanceof Error && error.message === silence) silent = true
      if (isReadOnly(error)) readOnly = true
      throw error
    })
  } as typeof client.query
  client.release = (error?: Error | boolean) => {
    // Back to the method of the class: a bound one would be bound again at every use, a layer each time.
    Reflect.deleteProperty(client, 'query')
    client.release = release
    // Kysely passes `false` for a healthy connection.
    release(error || silent || readOnly)
  }
  return client
}

// The driver's words; it has no code for it.
const noTls = 'The server does not support SSL connections'
// https://nodejs.org/api/tls.html#x509-certificate-error-codes, as far as a server's own certificate causes them.
const untrustedCertificateCodes =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** What to set where the database speaks no TLS, or its certificate is not believed; null for any other error. */
export function explainTls(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error.message === noTls)
    return 'The database speaks no TLS, and its URL asks for it (sslmode). Set "ssl = on" and a certificate in PostgreSQL; or, where nobody can listen on the way, sslmode=disable.'
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !untrustedCertificateCodes.test(code)) return null
  return `The certificate of the database is not trusted (${code}). In its URL, set sslmode=verify-full&sslrootcert=FILE to the certificate of its authority; sslmode=no-verify encrypts and checks nothing. Here sslmode=require checks as verify-full does.`
}

// Classes of SQLSTATE that mean "not now" and say nothing about the request: connection (08), operator intervention
// such as shutdown or statement time-out (57), resources such as disk and connections (53), system error (58), lock not
// available (55P03), deadlock and serialization (40), read-only (25006), credentials refused (28), database missing
// (3D000).
const unavailableStates = /^(08...|57...|53...|58...|55P03|40...|25006|28...|3D000)$/
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT)$/
const unavailableMessages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/

/** Logs a failure in the background: an outage passes and is a warning, any other failure is an error. */
export function logFailure(logger: Logger, error: unknown, message: string): void {
  logger[isDatabaseUnavailable(error) ? 'warn' : 'error']({ err: error }, message)
}

/** Whether an error means that the database cannot serve now, as opposed to a mistake in the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (unavailableStates.test(code) || unavailableCodes.test(code))) return true
  return unavailableMessages.test(error.message)
}
