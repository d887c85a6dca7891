import { countUnits, startMeter, type Counter } from '../api/metering.ts'
import type { Cluster } from '../frame/database.ts'
import { figureOf, say, type Figure, type Table } from '../frame/figures.ts'
import { alternate, perSecond, ratioFigure, roundsTable, type Effort } from '../frame/rounds.ts'

// The same requests, by the same keys, in one database or spread over several: each cell has its own meter.

const inFlightOf = [192, 960]

export async function measureUnits(
  clusters: readonly Cluster[],
  effort: Effort,
): Promise<{ tables: Table[]; figures: Figure[] }> {
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
  for (const all of inFlightOf) {
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

const nameOf = (count: number) => (count === 1 ? 'one database' : `${count} cells`)
