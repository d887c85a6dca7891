import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { loadChanges, loadPrices } from '../../../apps/server/test/page-queries/load.ts'
import type { GeneratedTable } from '../../../apps/server/test/page-queries/table.ts'
import { decodeCursor, encodeCursor } from '../../../apps/server/src/platform/cursor.ts'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { debianPostgres, startReplication } from '../../../apps/server/test/support/debian-postgres.ts'
import { prepareDatabase, type Cluster } from '../frame/database.ts'
import { counted, figureOf, median, rangeOf, say, shown } from '../frame/figures.ts'
import { startJobRunner, startServer } from '../frame/processes.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from '../frame/rounds.ts'
import { memoryMbOf, treeCpuMicrosOf } from '../frame/machine.ts'
import type { LoadJob, LoadResult, Sample } from './load.ts'
import { columns, measure, type Measurement, type Part, type Setup, type Subject } from './measure.ts'
import { ours, pagePath } from './served-pages.ts'

// Pages that no request has asked for before, out of a large table: no cache helps, and the query does.

const barePg = 'bare pg'
const limit = 100
/** Rows at each end of a list that count as the end. */
const endShare = 0.05

type LargeDatabase = Awaited<ReturnType<typeof openLargeDatabase>>

export async function openLargeDatabase(cluster: Cluster, rows: number) {
  const database = await cluster.openDatabase('large')
  say(`Loading ${rows} prices and ${rows} changes`)
  const prices = await loadPrices(database.db, rows)
  const changes = await loadChanges(database.db, rows)
  const logFile = join(cluster.folder, 'large.log')
  const server = await startServer(ours, { connectionString: database.connectionString, logFile })
  return {
    ...{ database, prices, changes, logFile },
    subject: { serving: server, countUnits: database.countedUnits },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await database.db.destroy()
    },
  }
}

export async function measureNewPages(
  { cluster, load, effort }: Setup,
  { database, prices, subject }: LargeDatabase,
): Promise<Part> {
  const env = { DATABASE_URL: database.connectionString }
  await using fetcher = await startJobRunner<LoadJob, LoadResult>('peers/bare-pg.ts', env)
  const positions = new Positions(prices)
  const checkSample = (sample: Sample) => checkPage(sample, prices)
  const peer = { serving: { name: barePg, port: 0, ...fetcher }, countUnits: null, checkSample }
  const own = { ...subject, checkSample }
  const { connections } = effort
  say('Pages never served before')
  const rounds = await alternate([barePg, ours], effort, (name, durationMs) => {
    const paths = positions.takePaths(durationMs * 6)
    const job = { connections, durationMs, paths, keys: database.keys.slice(0, 1), once: true }
    return name === barePg ? measure(fetcher, peer, cluster.pid, job) : measure(load, own, cluster.pid, job)
  })
  const title = `A page never served before, of ${counted(prices.size)} prices`
  const ratio = 'page never served before: pages/s against bare pg'
  return {
    tables: [roundsTable(title, rounds, columns)],
    aims: [ratioFigure(ratio, rounds, [ours, barePg], perSecond, { least: 0.5 })],
  }
}

/** What a page costs near the end of a list, in pages near its start: one after the other, each new. */
export async function measureEnds(
  { cluster, load, effort }: Setup,
  { database, subject, ...lists }: LargeDatabase,
): Promise<Part> {
  const part = { tables: [], aims: [] } as Required<Pick<Part, 'tables' | 'aims'>>
  const { rounds, roundMs, warmUpMs } = effort
  const quarter = { rounds, roundMs: roundMs / 4, warmUpMs: warmUpMs / 4 }
  for (const table of [lists.prices, lists.changes]) {
    const rows = Math.floor(table.size * endShare)
    const positions = new Map([
      ['first pages', new Positions(table, { from: table.size - rows, to: table.size })],
      ['last pages', new Positions(table, { from: 2 * limit, to: rows })],
    ])
    const own = { ...subject, checkSample: (sample: Sample) => checkPage(sample, table) }
    say(`The two ends of ${table.name}`)
    const rounds = await alternate([...positions.keys()], quarter, (name, durationMs) => {
      const paths = positions.get(name)!.takePaths(durationMs * 2)
      const job = { connections: 1, durationMs, paths, keys: database.keys.slice(0, 1), once: true }
      return measure(load, own, cluster.pid, job)
    })
    const title = `Both ends of ${counted(table.size)} ${table.name}, one connection`
    const ratio = `${table.name}: time of a last page against a first page`
    const time = ({ p50Ms }: Measurement) => p50Ms
    part.tables.push(roundsTable(title, rounds, columns))
    part.aims.push(ratioFigure(ratio, rounds, ['last pages', 'first pages'], time, { most: 1.5 }))
  }
  return part
}

const evictingPages = 20_000
const servedPerNew = 4
const sampleMs = 1_000
/** A log of this many megabytes is not what is measured. */
const truncateEverySamples = 30

/** Memory under full load: every fifth page is one that no request asked for lately, so each cached one is evicted. */
export async function measureMemory(
  { cluster, load, effort: { connections } }: Setup,
  { database, prices, subject, logFile }: LargeDatabase,
  durationMs: number,
): Promise<Part> {
  const minutes = `${shown(durationMs / 60_000)} min`
  say(`Memory: full load for ${minutes}`)
  const served = Array.from({ length: servedPerNew }, () => pagePath)
  const paths = new Positions(prices).takePaths(evictingPages).flatMap((path) => [path, ...served])
  const sizesMb: number[] = []
  const timer = setInterval(() => {
    sizesMb.push(memoryMbOf(subject.serving.pid, 'VmRSS'))
    if (sizesMb.length % truncateEverySamples === 0) {
      say(`  ${sizesMb.length} s: ${shown(sizesMb.at(-1)!)} MB`)
      void truncate(logFile)
    }
  }, sampleMs)
  const own = { ...subject, checkSample: () => undefined }
  const job = { connections, durationMs, paths, keys: database.keys, once: false }
  const rate = await measure(load, own, cluster.pid, job).finally(() => clearInterval(timer))
  const upTo = (quarters: number) => Math.floor((sizesMb.length * quarters) / 4)
  const quarter = (number: number) => median(sizesMb.slice(upTo(number - 1), upTo(number)))
  const range = rangeOf(sizesMb)
  const growth = 'memory: last quarter of that time against the second'
  return {
    aims: [
      figureOf(`${minutes} of full load, every fifth page new`, 'requests/s', rate.perSecond),
      { ...figureOf(`memory: most in ${minutes} of full load`, 'MB', range.max, { most: 250 }), range },
      figureOf(growth, 'times', quarter(4) / quarter(2), { most: 1.1 }),
    ],
  }
}

// A prime that divides no size in use: every row comes once before any comes again.
const stride = 611_953

/** Positions in a table, each handed out once, in an order that jumps about. */
class Positions {
  readonly #table: GeneratedTable
  readonly #from: number
  readonly #count: number
  #next = 0

  /** @param from the rows after the position must fill a page, also without those that the list leaves out */
  constructor(table: GeneratedTable, { from = 2 * limit, to = table.size } = {}) {
    this.#table = table
    this.#from = from
    this.#count = to - from
  }

  /** Paths of the pages after them: more than any subject serves. */
  takePaths(count: number): string[] {
    return Array.from({ length: Math.min(Math.ceil(count), this.#count - this.#next) }, () => {
      const row = this.#from + ((this.#next++ * stride) % this.#count)
      const cursor = encodeCursor(this.#table.positionOf(row))
      return `/v1/${this.#table.name}?limit=${limit}&cursor=${cursor}`
    })
  }
}

interface ListBody {
  data: { updated_at: string }[]
  pagination?: { next_cursor: string }
}

/** Holds a page against the position that it was asked for after. */
function checkPage({ path, body }: Sample, table: GeneratedTable): void {
  const wanted = decodeCursor(/cursor=(.*)$/.exec(path)?.[1] ?? '')
  const { data, pagination } = JSON.parse(body) as ListBody
  const times = [wanted?.updatedAt ?? '', ...data.map((row) => row.updated_at)]
  const next = decodeCursor(pagination?.next_cursor ?? '')
  const isInOrder = times.every((time, index) => index === 0 || time < times[index - 1]!)
  if (data.length !== limit || !isInOrder || next?.updatedAt !== times.at(-1))
    throw new Error(`Not a page of ${table.name}: ${path} got ${body.slice(0, 500)}`)
}

// What a streaming replica takes off the primary: the reading of pages that no server has cached.

const alone = 'primary alone'
const withReplica = 'with a replica'

type Measured = Measurement & { replicaMicros: number }

/** Nothing where Debian's PostgreSQL is missing: the embedded one cannot copy a cluster. */
export async function measureReplica({ load, effort }: Setup, rows: number): Promise<Part> {
  if ('missing' in debianPostgres) {
    say(`A replica: skipped, ${debianPostgres.missing}`)
    return { aims: [] }
  }
  await using running = new AsyncDisposableStack()
  const { primary, replica } = running.adopt(await startReplication({ fsync: true }), ({ end }) => end())
  const logs = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
  running.defer(() => rm(logs, { recursive: true, force: true }))
  const database = running.use(await prepareDatabase(primary.url))
  say(`A replica: loading ${rows} prices`)
  const prices = await loadPrices(database.db, rows)
  await catchUp(database.db, replica.url)
  const subjects = new Map<string, Subject>()
  for (const name of [alone, withReplica]) {
    const env: Record<string, string> = name === withReplica ? { DATABASE_REPLICA_URL: replica.url } : {}
    const logFile = join(logs, `${subjects.size}.log`)
    const serving = running.use(await startServer(name, { connectionString: primary.url, logFile, env }))
    const checkSample: Subject['checkSample'] = (sample) => checkPage(sample, prices)
    subjects.set(name, { serving, countUnits: database.countedUnits, checkSample })
  }
  const [primaryPid, replicaPid] = [await primary.pid(), await replica.pid()]
  const positions = new Positions(prices)
  const run = async (name: string, durationMs: number): Promise<Measured> => {
    const paths = positions.takePaths(durationMs * 2)
    const { connections } = effort
    const job = { connections, durationMs, paths, keys: database.keys.slice(0, 1), once: true }
    const before = treeCpuMicrosOf(replicaPid)
    const measurement = await measure(load, subjects.get(name)!, primaryPid, job)
    const answers = (measurement.perSecond * durationMs) / 1_000
    return { ...measurement, replicaMicros: (treeCpuMicrosOf(replicaPid) - before) / answers }
  }
  const rounds = await alternate([...subjects.keys()], effort, run)
  const title = `A page never served before, of ${counted(rows)} prices, with a streaming replica`
  const ofPrimary = ({ postgresMicros }: Measured) => postgresMicros
  const ratio = 'page never served before, with a replica: CPU of the primary'
  return {
    tables: [
      roundsTable(title, rounds, [
        ['requests/s', perSecond],
        ['p50 ms', ({ p50Ms }) => p50Ms],
        ['CPU µs/request: server', ({ serverMicros }) => serverMicros],
        ['primary', ofPrimary],
        ['replica', ({ replicaMicros }) => replicaMicros],
      ]),
    ],
    aims: [ratioFigure(ratio, rounds, [withReplica, alone], ofPrimary)],
  }
}

/** Until the replica has all that the primary has. */
async function catchUp(db: Db, connectionString: string): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(db)
  const copy = connect({ connectionString, connectionsMax: 1 })
  const behind = sql`select where pg_last_wal_replay_lsn() < ${rows[0]!.at}::pg_lsn`
  while ((await behind.execute(copy)).rows.length > 0) await setTimeout(50)
  await copy.destroy()
}
