import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../src/features/entitlements/caller-store.ts'
import { hashApiKey } from '../src/features/accounts/api-key.ts'
import { plans } from '../src/features/entitlements/plans.ts'
import { insertPack, listPacks } from '../src/features/metering/pack-store.ts'
import { batchSessionConnector } from '../src/features/metering/batch-session.ts'
import { createBatchingMeter, type UnitVerdict } from '../src/features/metering/meter.ts'
import { meteredEndpoints, type MeteredEndpoint } from '../src/features/metering/unit-store.ts'
import { readUsage } from '../src/features/metering/usage-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { realScheduler } from '../src/platform/scheduler.ts'
import { createCustomer, createKey } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { useDatabase } from './support/postgres.ts'
import { onLoss } from './support/unit-functions.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.parse('2031-03-05T21:00:00Z')
const { free } = plans

/** Events of an account with two keys. */
type Step =
  | { kind: 'requests'; at: { key: 0 | 1; endpoint: MeteredEndpoint }[] }
  | { kind: 'time'; ms: number }
  | { kind: 'limit'; limit: number }
  | { kind: 'pack'; units: number; boughtMsAgo: number; validMs: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('requests' as const),
        at: fc.array(
          fc.record({
            key: fc.constantFrom(0 as const, 1 as const),
            endpoint: fc.constantFrom(...meteredEndpoints),
          }),
          { minLength: 1, maxLength: 16 },
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('time' as const),
        // Often to the very millisecond at which a day, or a pack of whole hours, ends.
        ms: fc.oneof(fc.integer({ min: 1, max: 3 * hourMs }), fc.constantFrom(hourMs, 3 * hourMs, dayMs)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 12 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('pack' as const),
        units: fc.integer({ min: 1, max: 8 }),
        boughtMsAgo: fc.constantFrom(0, hourMs, 2 * hourMs, 3 * hourMs),
        validMs: fc.constantFrom(4 * hourMs, 6 * hourMs, 3 * dayMs),
      }),
    },
  ),
  { minLength: 3, maxLength: 14 },
)

interface ModelPack {
  id: string
  remaining: number
  purchasedMs: number
  expiresMs: number
}

/** The rules, in as few words as possible. Between requests time does not pass. */
class Model {
  nowMs = startMs
  limit = 5
  packs: ModelPack[] = []
  /** By key and day. */
  planUsed = new Map<string, number>()

  get day(): string {
    return new Date(this.nowMs).toISOString().slice(0, 10)
  }

  plan(key: number): number {
    return this.planUsed.get(`${key} ${this.day}`) ?? 0
  }

  live(): ModelPack[] {
    const order = (a: ModelPack, b: ModelPack) => a.purchasedMs - b.purchasedMs || (a.id < b.id ? -1 : 1)
    return this.packs.filter((pack) => pack.remaining > 0 && pack.expiresMs > this.nowMs).sort(order)
  }

  /** Takes the plan's units for so many requests of a key, and returns how many it does not pay. */
  takePlan(key: number, count: number): number {
    const taken = Math.min(count, Math.max(0, this.limit - this.plan(key)))
    if (taken > 0) this.planUsed.set(`${key} ${this.day}`, this.plan(key) + taken)
    return count - taken
  }

  /** Takes units from the packs, and returns how many they gave. */
  takePacks(count: number): number {
    let left = count
    for (const pack of this.live()) {
      const units = Math.min(left, pack.remaining)
      pack.remaining -= units
      left -= units
    }
    return count - left
  }
}

const instant = (ms: number) => new Date(ms).toISOString()

// As in force at each moment: the model moves them.
const limits = { free: 0, developer: 1, scale: 1, team: 1, enterprise: 1 }

describe('A reservation', () => {
  test('grants, charges and reports what a simple model does, whatever happens in whichever order', async () => {
    const meter = createBatchingMeter({
      limits,
      connector: () => batchSessionConnector({ connectionString: database.url, limits, onLoss }),
      scheduler: realScheduler,
      onFailure: (error) => expect.unreachable(String(error)),
    })
    let reservations = 0
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const model = new Model()
        limits.free = model.limit
        await clock.stand(instant(model.nowMs))
        const { accountId, key: firstKey, keyId } = await createCustomer(database.db)
        const { key: secondKey, id: secondId } = await createKey(database.db, accountId)
        const keyIds = [keyId, secondId]
        const keyHashes = [firstKey, secondKey].map((key) => hashApiKey(key).toString('hex'))
        const caller = (key: number): Caller => ({
          keyHash: keyHashes[key] ?? '',
          keyId: keyIds[key] ?? '',
          accountId,
          quotaSubject: keyIds[key] ?? '',
          scope: 'all',
          terms: { ...free, dailyLimit: model.limit },
          day: '',
          planUsed: 0,
        })
        const endpointUnits = new Map<string, number>()

        for (const step of script) {
          if (step.kind === 'time') {
            model.nowMs += step.ms
            await clock.stand(instant(model.nowMs))
          } else if (step.kind === 'limit') {
            model.limit = step.limit
            limits.free = step.limit
          } else if (step.kind === 'pack') {
            const purchasedMs = model.nowMs - step.boughtMsAgo
            const expiresMs = purchasedMs + step.validMs
            const { id } = await insertPack(database.db, accountId, {
              units: step.units,
              purchasedAt: instant(purchasedMs),
              expiresAt: instant(expiresMs),
            })
            model.packs.push({ id, remaining: step.units, purchasedMs, expiresMs })
          } else {
            reservations += step.at.length
            const before = [model.plan(0), model.plan(1)]
            const results = await Promise.all(
              step.at.map(async ({ key, endpoint }) => ({
                key,
                endpoint,
                ...((await meter.reserve({
                  keyHash: keyHashes[key] ?? '',
                  endpoint,
                  plans: 1,
                  version: null,
                })) as UnitVerdict),
              })),
            )
            let unpaid = 0
            for (const key of [0, 1]) {
              const ofKey = results.filter((result) => result.key === key)
              unpaid += model.takePlan(key, ofKey.length)
              const byPlan = ofKey.filter((result) => result.kind === 'granted' && !result.rateLimit.topup)
              // One after the other: each remainder is reported once.
              expect(byPlan.map((result) => result.rateLimit.remaining).sort((a, b) => b - a)).toEqual(
                byPlan.map((_, index) => model.limit - (before[key] ?? 0) - index - 1),
              )
              for (const result of ofKey.filter((result) => !byPlan.includes(result))) {
                expect(result.rateLimit.remaining).toBe(0)
              }
            }
            const byPack = results.filter((result) => result.rateLimit.topup)
            expect(byPack).toHaveLength(model.takePacks(unpaid))
            expect(byPack.every((result) => result.kind === 'granted')).toBe(true)
            const resetAtSeconds = Date.parse(`${model.day}T00:00:00Z`) / 1_000 + 86_400
            for (const { key, endpoint, kind, rateLimit, secondsToReset } of results) {
              expect(rateLimit).toMatchObject({ limit: model.limit, resetAtSeconds })
              expect(secondsToReset).toBe(Math.ceil(resetAtSeconds - model.nowMs / 1_000))
              const name = `${key} ${model.day} ${endpoint}`
              if (kind === 'granted') endpointUnits.set(name, (endpointUnits.get(name) ?? 0) + 1)
            }
          }

          for (const key of [0, 1]) {
            const usage = await readUsage(database.db, caller(key))
            expect(usage).toMatchObject({ day: model.day, planUsed: model.plan(key) })
            expect(usage.rateLimit.remaining).toBe(Math.max(0, model.limit - model.plan(key)))
            expect(usage.packs.map(({ id, remaining }) => ({ id, remaining }))).toEqual(
              model.live().map(({ id, remaining }) => ({ id, remaining })),
            )
            for (const endpoint of meteredEndpoints) {
              expect(usage.endpoints[endpoint]).toBe(
                endpointUnits.get(`${key} ${model.day} ${endpoint}`) ?? 0,
              )
            }
          }
        }
        const stored = await listPacks(database.db, accountId)
        expect(Object.fromEntries(stored.map((pack) => [pack.id, pack.remaining]))).toEqual(
          Object.fromEntries(model.packs.map((pack) => [pack.id, pack.remaining])),
        )
      }),
      { numRuns: 60 },
    )
    await meter.close()
    const report = await verifyLedger(database.db)
    expect(report.differences).toEqual([])
    expect(report.counters).toBeGreaterThan(60)
    expect(reservations).toBeGreaterThan(500)
  })
})
