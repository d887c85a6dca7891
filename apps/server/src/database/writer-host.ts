import pg from 'pg'
import { budgets } from '../platform/budgets.ts'
import { readDatabaseUrl, type DatabaseUrl } from '../platform/database-url.ts'

// Which of several hosts takes writes. After a failover it is another one.

type Host = DatabaseUrl['hosts'][number]

/** As PostgreSQL answers a write there. */
export class ReadOnlyHost extends Error {
  readonly code = '25006'
}

/** The hosts of one URL, for all connections of the process. */
export class WriterHost {
  readonly #hosts: readonly Host[]
  #found: Promise<Host> | null = null

  constructor(hosts: readonly Host[]) {
    this.#hosts = hosts
  }

  /** The first of them that says that it takes writes. All are asked at once: one that is away answers nothing. */
  find(url: string): Promise<Host> {
    if (this.#found) return this.#found
    const found = Promise.any(this.#hosts.map((host) => requireWriter(url, host).then(() => host))).catch(
      (error: AggregateError) => {
        // That one answers and only reads says more than that another does not answer.
        const reasons = error.errors as unknown[]
        throw (reasons.find((reason) => reason instanceof ReadOnlyHost) ?? reasons[0]) as Error
      },
    )
    this.#found = found
    found.catch(() => this.forget(found))
    return found
  }

  /** Whoever connects next asks again. A connection to it was lost or refused, or it takes no writes any more. */
  forget(found: Promise<Host>): void {
    if (this.#found === found) this.#found = null
  }
}

const known = new Map<string, WriterHost>()

/** Null: there is one host, and any state of it will do. */
export function writerHostOf(connectionString: string): WriterHost | null {
  const { hosts, wantsWriter } = readDatabaseUrl(connectionString) ?? { hosts: [], wantsWriter: false }
  if (!wantsWriter) return null
  const writer = known.get(connectionString) ?? new WriterHost(hosts)
  known.set(connectionString, writer)
  return writer
}

async function requireWriter(url: string, host: Host): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: budgets.connectMs,
    query_timeout: budgets.statementMs,
  })
  client.on('error', () => undefined)
  Object.assign(client, host)
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyHost('This host takes no writes.')
  } finally {
    void client.end().catch(() => undefined)
  }
}
