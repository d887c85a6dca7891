import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { budgets } from '../platform/budgets.ts'
import { readDatabaseUrl, type DatabaseUrl } from '../platform/database-url.ts'

// Which of several hosts takes writes. After a failover it is another one.

type Host = DatabaseUrl['hosts'][number]

/** As PostgreSQL answers a write there. */
export class ReadOnlyHost extends Error {
  readonly code = '25006'
}

/** After an answer connections may be opened for so long without asking again. A lost primary may still call itself one. */
const freshMs = 1_000
/** What the other hosts have once one says that it takes writes. */
const othersMs = 150
/** While one does not answer, those that only read are asked again so often: one of them may be promoted. */
const againMs = 250

interface Writer {
  host: Host
  /** Of its log: each promotion begins one. */
  timeline: string
}

/** The hosts of one URL, for all connections of the process. */
export class WriterHost {
  readonly #hosts: readonly Host[]
  #found: Promise<Host> | null = null
  #foundMs = 0

  constructor(hosts: readonly Host[]) {
    this.#hosts = hosts
  }

  /** The one that takes writes. All are asked at once: one that is away answers nothing. */
  find(url: string): Promise<Host> {
    if (this.#found && performance.now() - this.#foundMs < freshMs) return this.#found
    const found = this.#ask(url)
    this.#found = found
    this.#foundMs = performance.now()
    found.catch(() => this.forget(found))
    return found
  }

  /** Whoever connects next asks again. A connection to it was lost or refused, or it takes no writes any more. */
  forget(found: Promise<Host>): void {
    if (this.#found === found) this.#found = null
  }

  /**
   * Of several that say so, the one that was promoted last: a primary that lost its standbys and does not know it calls
   * itself one, and no commit there ever ends.
   */
  async #ask(url: string): Promise<Host> {
    const writers: Writer[] = []
    const silent = new Set(this.#hosts)
    const isOpen = () => silent.size > 0 && writers.length === 0
    const asked = this.#hosts.map(async (host) => {
      for (;;) {
        try {
          const timeline = await askForWriter(url, host).finally(() => silent.delete(host))
          return void writers.push({ host, timeline })
        } catch (error) {
          if (!(error instanceof ReadOnlyHost)) throw error
          if (isOpen()) await setTimeout(againMs)
          if (!isOpen()) throw error
        }
      }
    })
    try {
      await Promise.any(asked)
    } catch (error) {
      // That one answers and only reads says more than that another does not answer.
      const reasons = (error as AggregateError).errors as unknown[]
      throw reasons.find((reason) => reason instanceof ReadOnlyHost) ?? reasons[0]
    }
    const waited = new AbortController()
    const wait = setTimeout(othersMs, undefined, { signal: waited.signal }).catch(() => undefined)
    await Promise.race([Promise.allSettled(asked), wait])
    waited.abort()
    return writers.reduce((newest, writer) => (writer.timeline > newest.timeline ? writer : newest)).host
  }
}

const known = new Map<string, WriterHost>()

/** Null: there is one host, and any state of it will do. */
export function parseWriterHost(connectionString: string): WriterHost | null {
  const { hosts, wantsWriter } = readDatabaseUrl(connectionString) ?? { hosts: [], wantsWriter: false }
  if (!wantsWriter) return null
  const writer = known.get(connectionString) ?? new WriterHost(hosts)
  known.set(connectionString, writer)
  return writer
}

/** @returns the timeline; empty where it is not told. @throws ReadOnlyHost where it takes no writes */
async function askForWriter(url: string, host: Host): Promise<string> {
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
    // Hexadecimal, the first eight of the name. Some services do not tell it.
    return await client
      .query<{ file: string }>('select pg_walfile_name(pg_current_wal_lsn()) as file')
      .then(({ rows: [row] }) => row?.file.slice(0, 8) ?? '')
      .catch(() => '')
  } finally {
    void client.end().catch(() => undefined)
  }
}
