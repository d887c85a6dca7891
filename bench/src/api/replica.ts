import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import {
  debianPostgres,
  startReplication,
  type Replication,
} from '../../../apps/server/test/support/debian-postgres.ts'
import { loadPrices } from '../../../apps/server/test/page-queries/load.ts'
import { rangeText, say, shown, type Table } from '../figures.ts'
import { median, spreadOf } from '../statistics.ts'
import { countedUnits, prepareDatabase } from './database.ts'
import { checkPage, pathAfter, Positions } from './new-pages.ts'
import { startServer, type Load, type Serving } from './processes.ts'
import { alternate, measure, ratioFigure, type Measurement, type Rounds, type Subject } from './rounds.ts'
import type { Effort, Part } from './served-pages.ts'
import { treeCpuMicrosOf } from './usage.ts'

// What a streaming replica takes off the primary: the reading of pages that no server has cached.

const alone = 'primary alone'
const withReplica = 'with a replica'
/** More than any subject serves. */
const pagesPerMsMax = 2

type Measured = Measurement & { replicaMicros: number }

/** Null where Debian's PostgreSQL is missing: the embedded one cannot copy a cluster. */
export async function measureReplica(load: Load, effort: Effort, rows: number): Promise<Part | null> {
  if ('missing' in debianPostgres) {
    say(`A replica: skipped, ${debianPostgres.missing}`)
    return null
  }
  const replication = await startReplication({ fsync: true })
  const logs = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
  const servers: Serving[] = []
  try {
    const { primary, replica } = replication
    const database = await prepareDatabase(primary.url)
    say(`A replica: loading ${rows} prices`)
    const prices = await loadPrices(database.db, rows)
    await catchUp(database.db, replication)
    const subjects = new Map<string, Subject>()
    for (const name of [alone, withReplica]) {
      const env: Record<string, string> = name === withReplica ? { DATABASE_REPLICA_URL: replica.url } : {}
      const logFile = join(logs, `${subjects.size}.log`)
      const serving = await startServer(name, { connectionString: primary.url, logFile, env })
      servers.push(serving)
      const checkSample: Subject['checkSample'] = (sample) => checkPage(sample, prices)
      subjects.set(name, { serving, countUnits: () => countedUnits(database.db), checkSample })
    }
    const [primaryPid, replicaPid] = [await primary.pid(), await replica.pid()]
    const positions = new Positions(prices)
    const run =
      (durationMs: number) =>
      async (name: string): Promise<Measured> => {
        const paths = positions.take(durationMs * pagesPerMsMax).map((cursor) => pathAfter('prices', cursor))
        const { connections } = effort
        const job = { connections, durationMs, paths, keys: database.keys.slice(0, 1), once: true }
        const before = treeCpuMicrosOf(replicaPid)
        const measurement = await measure(load, subjects.get(name)!, primaryPid, job)
        const replicaMicros = treeCpuMicrosOf(replicaPid) - before
        const answers = (measurement.requestsPerSecond * durationMs) / 1_000
        return { ...measurement, replicaMicros: replicaMicros / answers }
      }
    say('A replica: warming up')
    for (const name of subjects.keys()) await run(effort.warmUpMs)(name)
    const rounds = (await alternate([...subjects.keys()], effort.rounds, run(effort.roundMs))) as Map<
      string,
      Measured[]
    >
    await database.close()
    return { tables: [replicaTable(rows, rounds)], figures: [], aims: replicaFigures(rounds) }
  } finally {
    for (const server of servers) await server.stop()
    await replication.end()
    await rm(logs, { recursive: true, force: true })
  }
}

/** Until the replica has all that the primary has. */
async function catchUp(db: Db, { replica }: Replication): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(db)
  const copy = connect({ connectionString: replica.url, connectionsMax: 1 })
  const hasAll = async () => {
    const { rows: found } = await sql<{ has_all: boolean }>`
      select pg_last_wal_replay_lsn() >= ${rows[0]?.at}::pg_lsn as has_all`.execute(copy)
    return found[0]?.has_all === true
  }
  while (!(await hasAll())) await setTimeout(50)
  await copy.destroy()
}

function replicaTable(rows: number, rounds: ReadonlyMap<string, readonly Measured[]>): Table {
  return {
    title: `A page never served before, of ${rows.toLocaleString('en-US')} prices, with a streaming replica`,
    head: ['', 'requests/s', 'min to max', 'p50 ms', 'CPU µs/request: server', 'primary', 'replica'],
    rows: [...rounds].map(([name, measured]) => {
      const of = (pick: (each: Measured) => number) => shown(median(measured.map(pick)))
      const rate = spreadOf(measured.map(({ requestsPerSecond }) => requestsPerSecond))
      return [
        ...[name, shown(rate.median), rangeText(rate), of(({ p50Ms }) => p50Ms)],
        ...[of((each) => each.serverMicros), of((each) => each.postgresMicros)],
        of(({ replicaMicros }) => replicaMicros),
      ]
    }),
  }
}

function replicaFigures(rounds: Rounds): Part['aims'] {
  return [
    ratioFigure(
      'page never served before, with a replica: CPU of the primary',
      rounds,
      [withReplica, alone],
      {
        pick: ({ postgresMicros }) => postgresMicros,
      },
    ),
  ]
}
