import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { curveTable, measureFeed } from './cells/feed.ts'
import { measureUnits } from './cells/units.ts'
import { openCluster, type Cluster } from './database.ts'
import { say } from './figures.ts'
import { describeMachine } from './machine.ts'
import { effortOptions, outputOptions, roundsOf } from './options.ts'
import { reportResults } from './results.ts'

// What cells cost: a unit in one, two and three of them beside one database, and what the hub does for each cell that
// follows it. All on one machine, so rates show its cores; CPU time per unit is what carries over.

const { values: options } = parseArgs({ options: { ...effortOptions, ...outputOptions } })
const rounds = roundsOf(options)
const roundMs = options.quick ? 1_500 : 4_000
const cellsMax = 3

const logical = ['wal_level=logical', 'max_worker_processes=20', 'shared_buffers=64MB']
const loadBefore = loadavg()[0]!
const clusters: Cluster[] = []
try {
  for (let count = 0; count <= cellsMax; count += 1) clusters.push(await openCluster(logical))
  const [hub, ...cells] = clusters as [Cluster, ...Cluster[]]
  const units = await measureUnits(cells, { rounds, roundMs })
  const feed = await measureFeed(hub, cells, { rounds, roundMs })
  const machine = describeMachine({ PostgreSQL: hub.version })
  const load = `Load of the machine by others: ${loadBefore.toFixed(1)} before the run.`
  say(load)
  const curve = curveTable(feed.perCell)
  const figures = [...units.figures, ...feed.figures]
  const tables = [...units.tables, ...feed.tables, curve]
  await reportResults(options, { machine, figures, load }, tables, {
    name: 'cells',
    document: 'evidence.md',
    machine: `${machine.date}, ${machine.cores} cores of ${machine.processor}, PostgreSQL ${hub.version}. ${load}`,
  })
} finally {
  for (const cluster of clusters) await cluster.close()
}
