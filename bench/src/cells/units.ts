import type { MeterJob, MeterResult } from '../api/meter-process.ts'
import { startJobRunner, type JobRunner } from '../api/processes.ts'
import { treeCpuMicrosOf } from '../api/usage.ts'
import type { Cluster, Database } from '../database.ts'
import { figureOf, say, type Figure, type Table } from '../figures.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from '../rounds.ts'

// The same requests, by the same keys, in one database or spread over several: each cell has its own meter.

interface Cell {
  cluster: Cluster
  database: Database
  meter: JobRunner<MeterJob, MeterResult>
}

interface Counted {
  perSecond: number
  microsPerUnit: number
}

const inFlightOf = [192, 960]

export async function measureUnits(
  clusters: readonly Cluster[],
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<{ tables: Table[]; figures: Figure[] }> {
  await using running = new AsyncDisposableStack()
  const cells: Cell[] = []
  for (const cluster of clusters) {
    const database = running.use(await cluster.openDatabase('units'))
    const env = { DATABASE_URL: database.connectionString }
    cells.push({ cluster, database, meter: running.use(await startJobRunner('api/meter-process.ts', env)) })
  }
  const subjects = new Map(cells.map((_, index) => [nameOf(index + 1), cells.slice(0, index + 1)]))
  const tables: Table[] = []
  const figures: Figure[] = []
  for (const inFlight of inFlightOf) {
    const run = (durationMs: number) => (name: string) => count(subjects.get(name)!, { inFlight, durationMs })
    say(`Units, ${inFlight} in flight: warming up`)
    for (const name of subjects.keys()) await run(roundMs / 2)(name)
    const measured = await alternate([...subjects.keys()], rounds, run(roundMs))
    tables.push(
      roundsTable(`1,000 keys, ${inFlight} requests in flight in all`, measured, [
        ['CPU of PostgreSQL, µs/unit', ({ microsPerUnit }) => microsPerUnit],
        ['units/s', perSecond],
      ]),
    )
    figures.push(
      ...[...measured].map(([name, counted]) =>
        figureOf(
          `cells, ${inFlight} in flight: ${name}`,
          'µs/unit',
          counted.map(({ microsPerUnit }) => microsPerUnit),
        ),
      ),
      ratioFigure(
        `cells, ${inFlight} in flight: CPU per unit of three against one database`,
        measured,
        [nameOf(cells.length), nameOf(1)],
        ({ microsPerUnit }) => microsPerUnit,
      ),
    )
  }
  return { tables, figures }
}

const nameOf = (count: number) => (count === 1 ? 'one database' : `${count} cells`)

async function count(
  cells: readonly Cell[],
  { inFlight, durationMs }: { inFlight: number; durationMs: number },
): Promise<Counted> {
  const micros = () => cells.reduce((sum, { cluster }) => sum + treeCpuMicrosOf(cluster.pid), 0)
  const counted = async () => {
    const units = await Promise.all(cells.map(({ database }) => database.countedUnits()))
    return units.reduce((sum, one) => sum + one, 0)
  }
  const before = await counted()
  const microsBefore = micros()
  const results = await Promise.all(
    cells.map(({ meter, database }) => {
      const keys = database.keys.slice(0, Math.ceil(database.keys.length / cells.length))
      return meter.run({ how: 'meter', keys, inFlight: Math.ceil(inFlight / cells.length), durationMs })
    }),
  )
  const spent = micros() - microsBefore
  const units = results.reduce((sum, result) => sum + result.units, 0)
  const found = (await counted()) - before
  if (found !== units) throw new Error(`${units} units were granted and ${found} counted.`)
  return {
    perSecond: units / Math.max(...results.map(({ seconds }) => seconds)),
    microsPerUnit: spent / units,
  }
}
