import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deletedAtATime } from '../src/database/steps.ts'
import { deleteExpired } from '../src/features/members/expired-rows.ts'
import { deleteOldBatchers } from '../src/features/metering/batcher-store.ts'
import { readOutcome } from '../src/features/metering/unit-store.ts'
import { createCustomer } from './support/actors.ts'
import { item, recover, reserve, useUnitFunctions } from './support/unit-functions.ts'

// Rows of what has ended go by themselves, and none that is still of use.

const { chargedTo, database, expectClean, openClient, somebodyWaits } = useUnitFunctions()

const grow = (batcher: string, days: number) =>
  sql`update meter_batchers set updated_at = clock_timestamp() - make_interval(days => ${days}::int)
    where id = ${batcher}`.execute(database.db)

async function listBatchers(): Promise<string[]> {
  const rows = await database.db.selectFrom('meter_batchers').select('id').execute()
  return rows.map(({ id }) => id)
}

test('The last batch of a process is kept for a week, and a process that counts again has its row again', async () => {
  const client = await openClient()
  const customer = await createCustomer(database.db)
  const [old, young] = [randomUUID(), randomUUID()]
  for (const batcher of [old, young]) await reserve(client, { batcher, number: 1 }, [item(customer)])
  await grow(old, 8)
  await grow(young, 6)
  expect(await deleteOldBatchers(database.db)).toBe(1)
  expect(await listBatchers()).toEqual([young])
  expect(await recover(client, { batcher: young, number: 1 })).not.toBeNull()

  await reserve(client, { batcher: old, number: 2 }, [item(customer)])
  expect(readOutcome((await recover(client, { batcher: old, number: 2 })) ?? '').items).toHaveLength(1)
  // It is closed for what came before, as ever.
  await expect(reserve(client, { batcher: old, number: 2 }, [item(customer)])).rejects.toThrow('given up')
  expect(await chargedTo(customer.keyId)).toBe(3)
  await expectClean()
})

test('A question after its outcome makes the row young: a batch that arrives late is refused', async () => {
  const client = await openClient()
  const customer = await createCustomer(database.db)
  const batcher = randomUUID()
  await reserve(client, { batcher, number: 1 }, [item(customer)])
  await grow(batcher, 8)
  expect(await recover(client, { batcher, number: 2 })).toBeNull()
  expect(await deleteOldBatchers(database.db)).toBe(0)
  await expect(reserve(client, { batcher, number: 2 }, [item(customer)])).rejects.toThrow('given up')
})

test('A row that is written while it is being deleted stays', async () => {
  const client = await openClient()
  const customer = await createCustomer(database.db)
  const batcher = randomUUID()
  await reserve(client, { batcher, number: 1 }, [item(customer)])
  await grow(batcher, 8)
  await client.query('begin')
  await reserve(client, { batcher, number: 2 }, [item(customer)])
  const deleting = deleteOldBatchers(database.db)
  await somebodyWaits()
  await client.query('commit')
  expect(await deleting).toBe(0)
  expect(await listBatchers()).toContain(batcher)
})

test('What has expired is deleted in steps', async () => {
  await sql`
    insert into auth_verifications (id, identifier, value, expires_at)
    select 'v' || n, 'i', 'x', ratecard_now() - interval '1 second' from generate_series(1, ${deletedAtATime + 5}::int) n
    union all
    select 'later', 'i', 'x', ratecard_now() + interval '1 minute'`.execute(database.db)
  expect(await deleteExpired(database.db, 'auth_verifications')).toBe(deletedAtATime)
  expect(await deleteExpired(database.db, 'auth_verifications')).toBe(5)
  const left = await database.db.selectFrom('auth_verifications').select('id').execute()
  expect(left).toEqual([{ id: 'later' }])
})
