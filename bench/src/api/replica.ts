import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { debianPostgres, startReplication } from '../../../apps/server/test/support/debian-postgres.ts'
import { loadPrices } from '../../../apps/server/test/page-queries/load.ts'
import { prepareDatabase } from '../frame/database.ts'
import { counted, say } from '../frame/figures.ts'
import { startServer } from '../frame/processes.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from '../frame/rounds.ts'
import { treeCpuMicrosOf } from '../frame/usage.ts'
import { measure, type Measurement, type Part, type Setup, type Subject } from './measure.ts'
import { checkPage, Positions } from './new-pages.ts'

// What a streaming replica takes off the primary: the reading of pages that no server has cached.

const alone = 'primary alone'
const withReplica = 'with a replica'
/** More than any subject serves. */
const pagesPerMsMax = 2

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
    const paths = positions.takePaths(durationMs * pagesPerMsMax)
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
