import { truncate } from 'node:fs/promises'
import { say, shown } from '../figures.ts'
import { median } from '../statistics.ts'
import { measure, type Part, type Setup } from './measure.ts'
import { Positions, type LargeDatabase } from './new-pages.ts'
import { pagePath } from './served-pages.ts'
import { residentMbOf } from './usage.ts'

// Memory under full load: four requests in five are for one common page, and one is for a page that no request asked for
// lately. So each cached page has to be evicted again.

const newPages = 20_000
const servedPerNew = 4
const sampleMs = 1_000
/** A log of this many megabytes is not what is measured. */
const truncateEverySamples = 30

export async function measureMemory(
  { cluster, load, effort }: Setup,
  { database, prices, server, logFile }: LargeDatabase,
  durationMs: number,
): Promise<Part> {
  const minutes = shown(durationMs / 60_000)
  say(`Memory: full load for ${minutes} min`)
  const served = Array.from({ length: servedPerNew }, () => pagePath)
  const paths = new Positions(prices).takePaths(newPages).flatMap((path) => [path, ...served])
  const sizesMb: number[] = []
  const timer = setInterval(() => {
    sizesMb.push(residentMbOf(server.pid))
    if (sizesMb.length % truncateEverySamples === 0) {
      say(`  ${sizesMb.length} s: ${shown(sizesMb.at(-1) ?? NaN)} MB`)
      void truncate(logFile)
    }
  }, sampleMs)
  try {
    const { perSecond } = await measure(
      load,
      { serving: server, countUnits: database.countedUnits, checkSample: () => undefined },
      cluster.pid,
      { connections: effort.connections, durationMs, paths, keys: database.keys, once: false },
    )
    const upTo = (quarters: number) => Math.floor((sizesMb.length * quarters) / 4)
    const quarter = (number: number) => median(sizesMb.slice(upTo(number - 1), upTo(number)))
    const range = { min: Math.min(...sizesMb), max: Math.max(...sizesMb) }
    const name = `${minutes} min of full load, every fifth page new`
    return {
      figures: [{ name, value: perSecond, unit: 'requests/s' }],
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
