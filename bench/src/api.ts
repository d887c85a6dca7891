import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { openCluster } from './api/database.ts'
import { measureMemory } from './api/memory.ts'
import { measureMetering } from './api/metering.ts'
import { measureEnds, measureNewPages, openLargeDatabase } from './api/new-pages.ts'
import { startLoad } from './api/processes.ts'
import { profileServedPages } from './api/profile.ts'
import { measureReplica } from './api/replica.ts'
import { measureServedPages, type Effort, type Part } from './api/served-pages.ts'
import type { Chart } from './chart.ts'
import { figureTable, formatText, isMissed, say, type Figure, type Table } from './figures.ts'
import { describeMachine, machineText } from './machine.ts'
import { publish } from './publish.ts'

// How fast the API answers, beside the limit and beside what one would write in its place.

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'served,metering,replica,new,ends,memory' },
    /** Fewer and shorter rounds: enough to see whether something is very wrong. */
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    rows: { type: 'string' },
    minutes: { type: 'string' },
    profile: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
})
const { quick } = options
const chosen = new Set(options.only.split(','))
const rows = Number(options.rows ?? (quick ? 100_000 : 1_000_000))
/** Enough for every page of the rounds to be a new one. */
const replicaRows = Math.min(rows, 200_000)
const minutes = Number(options.minutes ?? (quick ? 0.2 : 2))
const effort: Effort = {
  rounds: Number(options.rounds ?? (quick ? 3 : 9)),
  roundMs: quick ? 1_000 : 2_000,
  warmUpMs: quick ? 1_000 : 4_000,
  connections: 32,
}

const tables: Table[] = []
const parts: Part[] = []
let chart: Chart | undefined
const cluster = await openCluster()
const load = await startLoad()
try {
  if (options.profile) {
    tables.push(...(await profileServedPages(cluster, load, effort)))
  } else {
    if (chosen.has('served')) {
      const { bars, ...part } = await measureServedPages(cluster, load, effort)
      parts.push(part)
      chart = {
        title: 'Requests per second for a page of 100 prices',
        note: 'One process each, 32 connections; server, PostgreSQL and load share one machine. Median of the rounds.',
        series: ['one hot key', '1,000 keys'],
        groups: bars.map(({ name, hot, many }) => ({ name, values: [hot, many] })),
      }
    }
    if (chosen.has('metering')) parts.push(await measureMetering(cluster, effort))
    if (chosen.has('replica')) {
      const part = await measureReplica(load, effort, replicaRows)
      if (part) parts.push(part)
    }
    if (chosen.has('new') || chosen.has('ends') || chosen.has('memory')) {
      const large = await openLargeDatabase(cluster, rows)
      try {
        if (chosen.has('new')) parts.push(await measureNewPages(cluster, large, load, effort))
        if (chosen.has('ends')) parts.push(await measureEnds(cluster, large, load, effort))
        if (chosen.has('memory')) {
          parts.push(await measureMemory(cluster, large, load, effort, minutes * 60_000))
        }
      } finally {
        await large.close()
      }
    }
  }
} finally {
  await load.stop()
  await cluster.close()
}

const aims = parts.flatMap((part) => part.aims)
const figures = [...parts.flatMap((part) => part.figures), ...aims]
const machine = describeMachine({ PostgreSQL: cluster.version, ...versionsOf(['express', 'fastify', 'pg']) })
tables.push(...parts.flatMap((part) => part.tables))
if (aims.length > 0) tables.push(figureTable('Figures and aims', aims))
const data = { machine, effort, rows, figures: figures.map(withVerdict) }
if (options.json) console.log(JSON.stringify(data))
else console.log(['', machineText(machine), ...tables.map(formatText)].join('\n\n'))
if (options.publish) {
  const name = options.profile ? 'profile' : 'api'
  const files = await publish(name, { data, machine: machineText(machine), tables, ...(chart && { chart }) })
  say(`\nWritten: ${files.join(', ')}`)
}
if (aims.some(isMissed)) process.exitCode = 1

function withVerdict(figure: Figure): Figure & { holds?: boolean } {
  return figure.aim ? { ...figure, holds: !isMissed(figure) } : figure
}

function versionsOf(names: readonly string[]): Record<string, string> {
  const { resolve } = createRequire(import.meta.url)
  return Object.fromEntries(
    names.map((name) => {
      const [folder = ''] = /^.*node_modules\/[^/]+/.exec(resolve(name)) ?? []
      const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string }
      return [name, version]
    }),
  )
}
