import { join } from 'node:path'
import { loadChanges, loadPrices } from '../../../apps/server/test/page-queries/load.ts'
import type { GeneratedTable } from '../../../apps/server/test/page-queries/table.ts'
import { decodeCursor, encodeCursor, type Cursor } from '../../../apps/server/src/platform/cursor.ts'
import { say, type Figure, type Table } from '../figures.ts'
import type { FetchedPages, FetchPages } from '../peers/bare-pg.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from '../rounds.ts'
import { percentile } from '../statistics.ts'
import type { Cluster, Database } from '../database.ts'
import type { Sample } from './load.ts'
import { columns, measure, type Measurement, type Part, type Setup } from './measure.ts'
import { startJobRunner, startServer, type JobRunner, type Serving } from './processes.ts'
import { ours } from './served-pages.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from './usage.ts'

// Pages that no request has asked for before, out of a large table: no cache helps, and the query does.

const barePg = 'bare pg'
const limit = 100
/** More than any subject serves. */
const pagesPerMsMax = 6
/** Rows at each end of a list that count as the end. */
const endShare = 0.05

export interface LargeDatabase extends AsyncDisposable {
  database: Database
  prices: GeneratedTable
  changes: GeneratedTable
  server: Serving
  logFile: string
}

export async function openLargeDatabase(cluster: Cluster, rows: number): Promise<LargeDatabase> {
  const database = await cluster.openDatabase('large')
  say(`Loading ${rows} prices and ${rows} changes`)
  const prices = await loadPrices(database.db, rows)
  const changes = await loadChanges(database.db, rows)
  const logFile = join(cluster.folder, 'large.log')
  const server = await startServer(ours, { connectionString: database.connectionString, logFile })
  return {
    ...{ database, prices, changes, server, logFile },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await database.db.destroy()
    },
  }
}

export async function measureNewPages(
  { cluster, load, effort }: Setup,
  { database, prices, server }: LargeDatabase,
): Promise<Part> {
  await using fetcher = await startJobRunner<FetchPages, FetchedPages>('peers/bare-pg.ts', {
    DATABASE_URL: database.connectionString,
  })
  const positions = new Positions(prices)
  const checkSample = (sample: Sample) => checkPage(sample, prices)
  const subject = { serving: server, countUnits: database.countedUnits, checkSample }
  const { connections } = effort
  const run = (durationMs: number) => (name: string) => {
    const count = Math.ceil(durationMs * pagesPerMsMax)
    if (name === barePg) {
      const job = { cursors: positions.take(count), durationMs, inFlight: connections }
      return fetchPages(fetcher, cluster.pid, job, checkSample)
    }
    const paths = positions.takePaths(count)
    const job = { connections, durationMs, paths, keys: database.keys.slice(0, 1), once: true }
    return measure(load, subject, cluster.pid, job)
  }
  const names = [barePg, ours]
  say('Pages never served before: warming up')
  for (const name of names) await run(effort.warmUpMs)(name)
  const rounds = await alternate(names, effort.rounds, run(effort.roundMs))
  const title = `A page never served before, of ${prices.size.toLocaleString('en-US')} prices`
  const ratio = 'page never served before: pages/s against bare pg'
  return {
    tables: [roundsTable(title, rounds, columns)],
    aims: [ratioFigure(ratio, rounds, [ours, barePg], perSecond, { least: 0.5 })],
  }
}

async function fetchPages(
  fetcher: JobRunner<FetchPages, FetchedPages>,
  postgresPid: number,
  job: FetchPages,
  checkSample: (sample: Sample) => void,
): Promise<Measurement> {
  const fetcherBefore = cpuMicrosOf(fetcher.pid)
  const postgresBefore = treeCpuMicrosOf(postgresPid)
  const { pages, seconds, latenciesMs, samples } = await fetcher.run(job)
  const serverMicros = (cpuMicrosOf(fetcher.pid) - fetcherBefore) / pages
  const postgresMicros = (treeCpuMicrosOf(postgresPid) - postgresBefore) / pages
  for (const { index, body } of samples) {
    const cursor = job.cursors[index]
    if (cursor) checkSample({ path: pathAfter('prices', cursor), body })
  }
  return {
    perSecond: pages / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    serverMicros,
    postgresMicros,
    loadMicros: 0,
  }
}

/** What a page costs near the end of a list, in pages near its start: one after the other, each new. */
export async function measureEnds(
  { cluster, load, effort }: Setup,
  { database, prices, changes, server }: LargeDatabase,
): Promise<Part> {
  const [tables, aims]: [Table[], Figure[]] = [[], []]
  for (const table of [prices, changes]) {
    const rows = Math.floor(table.size * endShare)
    const positions = new Map([
      ['first pages', new Positions(table, { from: table.size - rows, to: table.size })],
      ['last pages', new Positions(table, { from: 2 * limit, to: rows })],
    ])
    const checkSample = (sample: Sample) => checkPage(sample, table)
    const subject = { serving: server, countUnits: database.countedUnits, checkSample }
    const run = (durationMs: number) => (name: string) => {
      const paths = positions.get(name)?.takePaths(Math.ceil(durationMs * 2)) ?? []
      const job = { connections: 1, durationMs, paths, keys: database.keys.slice(0, 1), once: true }
      return measure(load, subject, cluster.pid, job)
    }
    const names = [...positions.keys()]
    say(`The two ends of ${table.name}`)
    for (const name of names) await run(effort.warmUpMs / 4)(name)
    const rounds = await alternate(names, effort.rounds, run(effort.roundMs / 4))
    const title = `Both ends of ${table.size.toLocaleString('en-US')} ${table.name}, one connection`
    tables.push(roundsTable(title, rounds, columns))
    const ratio = `${table.name}: time of a last page against a first page`
    const time = ({ p50Ms }: Measurement) => p50Ms
    aims.push(ratioFigure(ratio, rounds, ['last pages', 'first pages'], time, { most: 1.5 }))
  }
  return { tables, aims }
}

/** Positions in a table, each handed out once, in an order that jumps about. */
export class Positions {
  readonly #table: GeneratedTable
  readonly #from: number
  readonly #count: number
  #next = 0

  constructor(table: GeneratedTable, range?: { from: number; to: number }) {
    this.#table = table
    // The rows after the position must fill a page, also without those that the list leaves out.
    this.#from = range?.from ?? 2 * limit
    this.#count = (range?.to ?? table.size) - this.#from
  }

  take(count: number): Cursor[] {
    return Array.from({ length: Math.min(count, this.#count - this.#next) }, () => {
      const row = this.#from + ((this.#next++ * stride) % this.#count)
      return this.#table.positionOf(row)
    })
  }

  takePaths(count: number): string[] {
    return this.take(count).map((cursor) => pathAfter(this.#table.name, cursor))
  }
}

// A prime that divides no size in use: every row comes once before any comes again.
const stride = 611_953

function pathAfter(list: GeneratedTable['name'], cursor: Cursor): string {
  return `/v1/${list}?limit=${limit}&cursor=${encodeCursor(cursor)}`
}

interface ListBody {
  data: { updated_at: string }[]
  pagination?: { next_cursor: string }
}

/** Holds a page against the position that it was asked for after. */
export function checkPage({ path, body }: Sample, table: GeneratedTable): void {
  const wanted = decodeCursor(/cursor=(.*)$/.exec(path)?.[1] ?? '')
  const { data, pagination } = JSON.parse(body) as ListBody
  const times = data.map((row) => row.updated_at)
  const next = decodeCursor(pagination?.next_cursor ?? '')
  const isInOrder = [wanted?.updatedAt ?? '', ...times].every(
    (time, index, all) => index === 0 || time < (all[index - 1] ?? ''),
  )
  if (data.length !== limit || !isInOrder || next?.updatedAt !== times.at(-1))
    throw new Error(`Not a page of ${table.name}: ${path} got ${body.slice(0, 500)}`)
}
