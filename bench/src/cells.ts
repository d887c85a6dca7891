import { loadavg } from 'node:os'
import { countUnits, startMeter, type Counter } from './api/metering.ts'
import { openCluster, type Cluster } from './frame/database.ts'
import { figureOf, say, type Figure, type Table } from './frame/figures.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from './frame/rounds.ts'
import { measureFeed } from './cells/feed.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { report } from './frame/report.ts'

// What cells cost: a unit in one, two and three of them beside one database, and what the hub does for each cell that
// follows it. All on one machine, so rates show its cores; CPU time per unit is what carries over.

const options = readOptions('Measures what several databases cost: nine rounds, ten minutes.', {
  rounds: roundsOption,
})
const roundMs = options.quick ? 1_500 : 4_000
const effort = { rounds: options.rounds, roundMs, warmUpMs: roundMs / 2 }
const cellsMax = 3

const logical = ['wal_level=logical', 'max_worker_processes=20', 'shared_buffers=64MB']
const note = `Load of the machine by others: ${loadavg()[0]!.toFixed(1)} before the run.`
await using running = new AsyncDisposableStack()
const hub = running.use(await openCluster(logical))
const cells: Cluster[] = []
while (cells.length < cellsMax) cells.push(running.use(await openCluster(logical)))
const units = await measureUnits(cells)
const feed = await measureFeed(hub, cells, effort)
await report(options, {
  ...{ name: 'cells', document: 'evidence.md' },
  figures: [...units.figures, ...feed.figures],
  tables: [...units.tables, ...feed.tables],
  data: { machine: describeMachine({ PostgreSQL: hub.version }), load: note },
  note,
})

/** The same requests, by the same keys, in one database or spread over several: each cell has its own meter. */
async function measureUnits(clusters: readonly Cluster[]): Promise<{ tables: Table[]; figures: Figure[] }> {
  await using running = new AsyncDisposableStack()
  const cells: Counter[] = []
  for (const cluster of clusters) {
    const database = running.use(await cluster.openDatabase('units'))
    cells.push({ cluster, database, meter: running.use(await startMeter(database)) })
  }
  const subjects = new Map(cells.map((_, index) => [nameOf(index + 1), cells.slice(0, index + 1)]))
  const tables: Table[] = []
  const figures: Figure[] = []
  const micros = ({ microsPerUnit }: { microsPerUnit: number }) => microsPerUnit
  for (const all of [192, 960]) {
    say(`Units, ${all} in flight`)
    const measured = await alternate([...subjects.keys()], effort, (name, durationMs) => {
      const chosen = subjects.get(name)!
      const share = (whole: number) => Math.ceil(whole / chosen.length)
      return countUnits(chosen, ({ database: { keys } }) => {
        return { how: 'meter', keys: keys.slice(0, share(keys.length)), inFlight: share(all), durationMs }
      })
    })
    tables.push(
      roundsTable(`1,000 keys, ${all} requests in flight in all`, measured, [
        ['CPU of PostgreSQL, µs/unit', micros],
        ['units/s', perSecond],
      ]),
    )
    for (const [name, counted] of measured)
      figures.push(figureOf(`cells, ${all} in flight: ${name}`, 'µs/unit', counted.map(micros)))
    const ratio = `cells, ${all} in flight: CPU per unit of three against one database`
    figures.push(ratioFigure(ratio, measured, [nameOf(cells.length), nameOf(1)], micros))
  }
  return { tables, figures }
}

function nameOf(count: number): string {
  return count === 1 ? 'one database' : `${count} cells`
}
