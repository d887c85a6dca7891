import { expect, test } from 'vitest'
import { fates } from './meter-simulation/faulty-database.ts'
import { violations } from './meter-simulation/invariants.ts'
import { runSchedule } from './meter-simulation/schedule.ts'

// The meter alone, on a model of the database, in time that does not pass: hundreds of lives of a few seconds, each with
// mishaps of its own. One of them again, with all that happens in it: SEED=123 npx vitest run test/meter.simulation.test.ts

const onlySeed = process.env.SEED
const scheduleCount = Number(process.env.METER_SCHEDULES ?? 400)

test.skipIf(onlySeed !== undefined)(
  `In ${scheduleCount} schedules of mishaps nothing is charged without an answer nor granted without a charge, and every request gets a verdict in time`,
  { timeout: 600_000 },
  async () => {
    const met = new Map<string, number>()
    const kinds = new Map<string, number>()
    for (let seed = 1; seed <= scheduleCount; seed += 1) {
      const schedule = await runSchedule(seed)
      expect(violations(schedule), `again: SEED=${seed}`).toEqual([])
      for (const [fate, count] of schedule.database.met) met.set(fate, (met.get(fate) ?? 0) + count)
      for (const { verdict } of schedule.requests) {
        const kind = verdict?.kind ?? 'none'
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
    // Every kind of event that it is for has occurred.
    for (const fate of [
      ...fates,
      'lock time-out',
      'connection refused',
      'connection slow',
      'connection silent',
    ])
      expect(met.get(fate) ?? 0, fate).toBeGreaterThan(scheduleCount / 20)
    for (const kind of ['granted', 'denied', 'unknown', 'forbidden', 'stale', 'none'])
      expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(scheduleCount / 20)
    console.info(`${scheduleCount} schedules: ${JSON.stringify(Object.fromEntries([...kinds, ...met]))}`)
  },
)

test.skipIf(onlySeed === undefined)('The schedule of SEED', async () => {
  const schedule = await runSchedule(Number(onlySeed), (line) => console.info(line))
  expect(violations(schedule)).toEqual([])
})

// A connection that broke while nobody asked, after two batches that were lost some seconds before.
test('What was lost long ago keeps nobody waiting', async () => {
  expect(violations(await runSchedule(12_645))).toEqual([])
})

test('A seed gives the same schedule again', async () => {
  const trace = async (seed: number) => {
    const lines: string[] = []
    await runSchedule(seed, (line) => lines.push(line))
    return lines
  }
  for (const seed of [7, 8, 9]) expect(await trace(seed)).toEqual(await trace(seed))
  expect(await trace(7)).not.toEqual(await trace(8))
})
