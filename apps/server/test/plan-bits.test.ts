import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { paidPlans, planBits } from '../src/features/entitlements/plans.ts'
import { useDatabase } from './support/postgres.ts'

// The plans are in the program and in the database. This test compares the two.

const database = useDatabase()

test('the database has the same bits for the same plans, and none for any other', async () => {
  const names = [...paidPlans, 'free', 'platinum']
  const { rows } = await sql<{ plan: string; bit: number | null }>`
    select plan, plan_bit(plan) as bit from unnest(${names}::text[]) plan`.execute(database.db)
  const bits = Object.fromEntries(rows.map(({ plan, bit }) => [plan, bit]))
  expect(bits).toEqual({ ...planBits, free: null, platinum: null })
})

test('a subscription may have these plans', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conname = 'subscriptions_plan_check'`.execute(database.db)
  expect(rows[0]?.definition.match(/(?<=')\w+(?=')/g)).toEqual([...paidPlans])
})

test('each plan has the limit that stands in its place', async () => {
  const limits = Object.values(planBits).map((_, index) => index + 1)
  for (const [index, bit] of Object.values(planBits).entries()) {
    const { rows } = await sql<{ limit: number }>`
      select daily_limit(${limits}::integer[], ${1 | bit}) as limit`.execute(database.db)
    expect(rows[0]?.limit).toBe(index + 1)
  }
})
