import { loadavg } from 'node:os'
import { measureFeed } from './cells/feed.ts'
import { measureUnits } from './cells/units.ts'
import { openCluster, type Cluster } from './frame/database.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { report } from './frame/report.ts'

// What cells cost: a unit in one, two and three of them beside one database, and what the hub does for each cell that
// follows it. All on one machine, so rates show its cores; CPU time per unit is what carries over.

const options = readOptions('Measures what several databases cost: nine rounds, ten minutes.', {
  rounds: [...roundsOption],
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
const units = await measureUnits(cells, effort)
const feed = await measureFeed(hub, cells, effort)
await report(options, {
  ...{ name: 'cells', document: 'evidence.md' },
  figures: [...units.figures, ...feed.figures],
  tables: [...units.tables, ...feed.tables],
  data: { machine: describeMachine({ PostgreSQL: hub.version }), load: note },
  note,
})
