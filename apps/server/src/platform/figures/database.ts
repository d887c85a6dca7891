import type { Registry } from 'prom-client'
import { inTime, labelledGauge, readGauge, sharing } from './gauge.ts'

/** The connections of one pool. */
export interface PoolFigures {
  open: number
  idle: number
  waiting: number
  max: number
}

/** The connections of a database server, all databases together. */
export interface ServerSlots {
  open: number
  limit: number
}

/** What the database is to a process: it takes writes, refuses them for want of disk, only reads, or does not answer. */
export type DatabaseState = 'writable' | 'refusing' | 'read-only' | 'away'

export function createDatabaseFigures(registry: Registry) {
  const pools = new Map<string, () => PoolFigures>()
  const rows = () => [...pools].map(([pool, read]) => ({ pool, ...read() }))
  labelledGauge(registry, {
    name: 'ratecard_database_connections',
    help: 'Connections of a pool that are open, by whether they work.',
    labels: ['pool', 'state'],
    rows,
    listValues: ({ pool, open, idle }) => [
      { labels: { pool, state: 'busy' }, value: open - idle },
      { labels: { pool, state: 'idle' }, value: idle },
    ],
  })
  labelledGauge(registry, {
    name: 'ratecard_database_connections_max',
    help: 'Connections that a pool opens at most.',
    labels: ['pool'],
    rows,
    listValues: ({ pool, max }) => [{ labels: { pool }, value: max }],
  })
  labelledGauge(registry, {
    name: 'ratecard_database_connection_waiters',
    help: 'Statements and transactions that wait for a connection of a pool.',
    labels: ['pool'],
    rows,
    listValues: ({ pool, waiting }) => [{ labels: { pool }, value: waiting }],
  })
  let readSlots: (() => Promise<ServerSlots | null>) | null = null
  labelledGauge(registry, {
    name: 'ratecard_database_server_connections',
    help: 'Connections of the database server, whoever has opened them: those that are open, and the limit (max_connections).',
    labels: ['kind'],
    aggregator: 'max',
    rows: async () => [(await readSlots?.()) ?? []].flat(),
    listValues: ({ open, limit }) => [
      { labels: { kind: 'open' }, value: open },
      { labels: { kind: 'limit' }, value: limit },
    ],
  })
  let readState: (() => Promise<DatabaseState>) | null = null
  // One that hangs is away.
  const state = () => (readState ? inTime(readState, 'away' as const) : null)
  readGauge(registry, {
    name: 'ratecard_database_up',
    help: 'Whether the database answers this process and takes its writes: 1, or 0. Asked for with each scrape.',
    aggregator: 'min',
    async read() {
      const now = await state()
      return now === null ? null : Number(now === 'writable')
    },
  })
  readGauge(registry, {
    name: 'ratecard_database_read_only',
    help: 'Whether the database that this process reaches answers and takes no writes: 1, or 0. None while it does not answer.',
    aggregator: 'max',
    async read() {
      const now = await state()
      return now === null || now === 'away' ? null : Number(now === 'read-only')
    },
  })
  return {
    /** @param pool what the connections are for */
    watchPool(pool: string, read: () => PoolFigures): void {
      pools.set(pool, read)
    },
    /** The first to say it is asked, as below. */
    watchServerSlots(read: () => Promise<ServerSlots | null>): void {
      readSlots ??= read
    },
    /** The first to say it is asked: a server's connections for requests, before those of its worker. */
    watchDatabase(read: () => Promise<DatabaseState>): void {
      readState ??= sharing(read)
    },
  }
}
