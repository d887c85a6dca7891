import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { revokeApiKey, rotateApiKey } from '../src/features/accounts/api-key-store.ts'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack, listPacks } from '../src/features/metering/pack-store.ts'
import { readOutcome } from '../src/features/metering/unit-store.ts'
import { createCustomer, createKey } from './support/actors.ts'
import { ModelDatabase } from './meter-simulation/model-database.ts'
import {
  hashOf,
  instant,
  item,
  limits,
  recover,
  release,
  releasesOf,
  reserve,
  startMs,
  unitsOf,
  useUnitFunctions,
} from './support/unit-functions.ts'

// The functions in the database that count units, against the model that the meter's simulation rests on.

const { chargedTo, clock, database, expectClean, openClient } = useUnitFunctions()

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('batch' as const),
        items: fc.array(
          fc.record({
            key: fc.integer({ min: 0, max: 5 }),
            endpoint: fc.constantFrom('prices' as const, 'changes' as const, 'webhooks' as const),
            plans: fc.constantFrom(31, 31, 30, 28),
            want: fc.integer({ min: 1, max: 9 }),
            version: fc.constantFrom('none', 'none', 'current', 'older'),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        giveBack: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 9 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('pack' as const),
        account: fc.integer({ min: 0, max: 1 }),
        units: fc.integer({ min: 1, max: 8 }),
        boughtHoursAgo: fc.integer({ min: 0, max: 3 }),
        validHours: fc.integer({ min: 1, max: 40 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('plan' as const), account: fc.integer({ min: 0, max: 1 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('revoke' as const), key: fc.integer({ min: 1, max: 4 }) }),
    },
  ),
  { minLength: 3, maxLength: 14 },
)

test('Batches get, give back and write down what the model does, whatever they want and whatever happens between', async () => {
  const client = await openClient()
  let units = 0
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      let nowMs = startMs
      await clock.stand(instant(nowMs))
      const model = new ModelDatabase()
      const customers = [await createCustomer(database.db), await createCustomer(database.db)]
      const keys: { key: string; id: string; quotaSubject: string; accountId: string }[] = []
      for (const { accountId, key, keyId } of customers) {
        model.accounts.set(accountId, { plans: 0 })
        const second = await createKey(database.db, accountId)
        // The third has the counter of the second, which works on for a while.
        const third = await database.db.transaction().execute((trx) => rotateApiKey(trx, second.id, 86_400))
        keys.push({ key, id: keyId, quotaSubject: keyId, accountId })
        for (const { key, id } of [second, third]) keys.push({ key, id, quotaSubject: second.id, accountId })
      }
      for (const [index, key] of keys.entries())
        model.keys.set(hashOf(key.key), {
          ...key,
          hash: hashOf(key.key),
          revokedAtMs: index % 3 === 1 ? nowMs + 86_400_000 : null,
        })
      const batcher = randomUUID()
      let number = 0
      for (const step of script) {
        const { rows } = await sql<{ list: string; version: string }>`
          select list, version::text from list_versions`.execute(database.db)
        for (const { list, version } of rows) model.versions.set(list, Number(version))
        if (step.kind === 'time') {
          nowMs += step.hours * 3_600_000
          await clock.stand(instant(nowMs))
        } else if (step.kind === 'pack') {
          const accountId = customers[step.account]?.accountId ?? ''
          const purchasedMs = nowMs - step.boughtHoursAgo * 3_600_000
          const expiresMs = purchasedMs + step.validHours * 3_600_000
          const { id } = await insertPack(database.db, accountId, {
            units: step.units,
            purchasedAt: instant(purchasedMs),
            expiresAt: instant(expiresMs),
          })
          model.packs.push({
            id,
            accountId,
            purchasedMs,
            expiresMs,
            units: step.units,
            remaining: step.units,
          })
        } else if (step.kind === 'plan') {
          const accountId = customers[step.account]?.accountId ?? ''
          await putSubscription(database.db, accountId, 'scale', { from: instant(nowMs) })
          model.accounts.set(accountId, { plans: 4 })
        } else if (step.kind === 'revoke') {
          const key = keys[step.key]
          const known = model.keys.get(hashOf(key?.key ?? ''))
          if (!key || !known) continue
          await revokeApiKey(database.db, key.id)
          known.revokedAtMs = Math.min(known.revokedAtMs ?? Infinity, nowMs)
        } else {
          const items = step.items.map(({ key, endpoint, plans, want, version }) => {
            const current = model.versions.get(endpoint)
            const isFree = version === 'none' || current === undefined
            const wanted = isFree ? null : String(version === 'older' ? current - 1 : current)
            return item(keys[key] ?? { key: 'nobody' }, { endpoint, plans, want, version: wanted })
          })
          const outcome = await reserve(client, { batcher, number: (number += 1) }, items)
          expect(outcome).toEqual(readOutcome(model.reserveUnits({ batcher, number }, limits, items, nowMs)))
          units += unitsOf(outcome)
          if (step.giveBack) {
            // Every other item's, in an order of no account's or counter's.
            const releases = releasesOf(outcome, items)
              .filter((_, index) => index % 2 === 0)
              .toReversed()
            await release(client, { batcher, number: (number += 1) }, releases)
            model.releaseUnits({ batcher, number }, releases)
          }
          expect(await recover(client, { batcher, number })).toEqual(
            model.recoverBatch({ batcher, number }) && expect.any(String),
          )
        }
      }
      for (const { accountId } of customers) {
        const stored = await listPacks(database.db, accountId)
        const modelled = model.packs.filter((pack) => pack.accountId === accountId)
        expect(Object.fromEntries(stored.map((pack) => [pack.id, pack.remaining]))).toEqual(
          Object.fromEntries(modelled.map((pack) => [pack.id, pack.remaining])),
        )
      }
      expect(await chargedTo(...keys.map(({ id }) => id))).toBe(model.charged())
    }),
    { numRuns: 60 },
  )
  expect(units).toBeGreaterThan(500)
  await expectClean()
})
