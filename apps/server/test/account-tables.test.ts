import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountTables, stayingTables, userTables } from '../src/features/cells/account-tables.ts'
import { announcedTables, feedTables } from '../src/features/cells/names.ts'
import { useDatabase } from './support/postgres.ts'

// What goes with an account to another cell. The move itself is tried in proofs/account-move.test.ts.

const database = useDatabase()

const decided: string[] = [
  ...accountTables.map(({ name }) => name),
  ...userTables,
  ...Object.keys(stayingTables),
  ...feedTables,
  ...announcedTables,
]

test('it is decided of each table whether its rows go along', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename::text as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%'`.execute(database.db)
  expect(rows.map(({ name }) => name).sort()).toEqual([...decided].sort())
})

test('what names an account, a user or a counter goes along, but for what is said to stay', async () => {
  const { rows } = await sql<{ name: string; column: string }>`
    select c.relname::text as name, a.attname::text as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
      and a.attname in ('account_id', 'user_id', 'quota_subject', 'delivery_id', 'made_by', 'invited_by')`.execute(
    database.db,
  )
  const going = [...accountTables.map(({ name }) => name), ...userTables] as string[]
  const left = rows.map(({ name }) => name).filter((name) => !going.includes(name))
  expect([...new Set(left)].sort()).toEqual([
    'account_moves',
    'auth_sessions',
    'moved_keys',
    'moved_users',
    'passkeys',
  ])
  // Elsewhere the ids of users may be others. The audit log names people as they were.
  const naming = rows.filter(({ name, column }) => {
    const isOfUser = ['user_id', 'made_by', 'invited_by'].includes(column)
    return isOfUser && accountTables.some((table) => table.name === name) && name !== 'audit_entries'
  })
  for (const { name, column } of naming)
    expect([name, accountTables.find((table) => table.name === name)?.users]).toEqual([name, [column]])
})

test('each table comes after those that its rows refer to', async () => {
  const { rows } = await sql<{ name: string; refers_to: string }>`
    select c.relname::text as name, r.relname::text as refers_to from pg_constraint f
    join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and c.oid <> r.oid`.execute(database.db)
  const order = [...userTables, ...accountTables.map(({ name }) => name)] as string[]
  for (const { name, refers_to } of rows)
    if (order.includes(name))
      expect([name, order.indexOf(refers_to) < order.indexOf(name)]).toEqual([name, true])
})
