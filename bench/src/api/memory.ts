import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { say, shown } from '../figures.ts'
import { median } from '../statistics.ts'
import { countedUnits, type Cluster } from './database.ts'
import { pathAfter, Positions, type LargeDatabase } from './new-pages.ts'
import type { Load } from './processes.ts'
import { measure } from './rounds.ts'
import { pagePath, type Effort, type Part } from './served-pages.ts'
import { residentMbOf } from './usage.ts'

// Memory under full load: four requests in five are for one common page, and one is for a page that no request asked for
// lately. So each cached page has to be evicted again.

const newPages = 20_000
const servedPerNew = 4
const sampleMs = 1_000
/** A log of this many megabytes is not what is measured. */
const truncateEverySamples = 30

export async function measureMemory(
  cluster: Cluster,
  { database, prices, server }: LargeDatabase,
  load: Load,
  effort: Effort,
  durationMs: number,
): Promise<Part> {
  say(`Memory: full load for ${shown(durationMs / 60_000)} min`)
  const paths = new Positions(prices)
    .take(newPages)
    .flatMap((cursor) => [
      pathAfter('prices', cursor),
      ...Array.from({ length: servedPerNew }, () => pagePath),
    ])
  const sizesMb: number[] = []
  const timer = setInterval(() => {
    sizesMb.push(residentMbOf(server.pid))
    if (sizesMb.length % truncateEverySamples === 0) {
      say(`  ${sizesMb.length} s: ${shown(sizesMb.at(-1) ?? NaN)} MB`)
      void truncate(join(cluster.folder, 'large.log'))
    }
  }, sampleMs)
  try {
    const { requestsPerSecond } = await measure(
      load,
      { serving: server, countUnits: () => countedUnits(database.db), checkSample: () => undefined },
      cluster.pid,
      { connections: effort.connections, durationMs, paths, keys: database.keys, once: false },
    )
    const quarter = (number: number) =>
      median(
        sizesMb.slice(
          Math.floor((sizesMb.length * (number - 1)) / 4),
          Math.floor((sizesMb.length * number) / 4),
        ),
      )
    const range = { min: Math.min(...sizesMb), max: Math.max(...sizesMb) }
    const minutes = shown(durationMs / 60_000)
    return {
      tables: [],
      figures: [
        {
          name: `${minutes} min of full load, every fifth page new`,
          value: requestsPerSecond,
          unit: 'requests/s',
        },
      ],
      aims: [
        {
          name: `memory: most in ${minutes} min of full load`,
          value: range.max,
          unit: 'MB',
          range,
          aim: { most: 250 },
        },
        {
          name: 'memory: last quarter of that time against the second',
          value: quarter(4) / quarter(2),
          unit: 'times',
          aim: { most: 1.1 },
        },
      ],
    }
  } finally {
    clearInterval(timer)
  }
}
