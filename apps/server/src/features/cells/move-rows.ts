import { sql, type RawBuilder } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import type { UserIds } from '../members/match-users.ts'
import { deleteUsersWithoutAccount } from '../members/user-store.ts'
import { accountTables, userTables } from './account-tables.ts'

const rowsAtATime = 500

/**
 * Copies all rows of an account from one transaction into another, and those of users whom the other cell does not have.
 * @param newUsers ids of these users
 * @returns how many rows, by table
 */
export async function copyRows(
  from: Trx,
  to: Trx,
  accountId: string,
  { userIds, newUsers }: { userIds: UserIds; newUsers: readonly string[] },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  // No user has the empty one: a list must have something in it.
  const ids = sql.join(['', ...newUsers].map((id) => sql.lit(id)))
  // Who has been there before, and has nothing there any more.
  await deleteUsersWithoutAccount(to, newUsers)
  for (const name of userTables) {
    const column = sql.ref(name === 'auth_users' ? 't.id' : 't.user_id')
    counts[name] = await copyTable(from, to, { name, rows: sql<boolean>`${column} in (${ids})` })
  }
  for (const { name, belongs, users, mayBeThere } of accountTables)
    counts[name] = await copyTable(from, to, { name, rows: belongs(accountId), users, userIds, mayBeThere })
  return counts
}

interface TableCopy {
  name: string
  rows: RawBuilder<boolean>
  users?: readonly string[] | undefined
  userIds?: UserIds
  mayBeThere?: boolean | undefined
}

async function copyTable(
  from: Trx,
  to: Trx,
  { name, rows, users = [], userIds = {}, mayBeThere = false }: TableCopy,
): Promise<number> {
  const columns = await readColumns(from, name)
  const list = (prefix: string) => sql.join(columns.map((column) => sql.ref(`${prefix}${column}`)))
  const values = sql.join(
    columns.map((column) =>
      users.includes(column)
        ? sql`${JSON.stringify(userIds)}::jsonb ->> ${sql.ref(`r.${column}`)}`
        : sql.ref(`r.${column}`),
    ),
  )
  const onConflict = mayBeThere ? sql`on conflict do nothing` : sql``
  await sql`
    declare moving no scroll cursor for
    select row_to_json(r)::text as row from (select ${list('t.')} from ${sql.table(name)} t where ${rows}) r`.execute(
    from,
  )
  let count = 0
  for (;;) {
    const { rows: fetched } = await sql<{ row: string }>`fetch ${sql.lit(rowsAtATime)} from moving`.execute(
      from,
    )
    if (fetched.length === 0) break
    await sql`
      insert into ${sql.table(name)} (${list('')})
      select ${values} from json_populate_recordset(null::${sql.table(name)}, ${`[${fetched.map(({ row }) => row).join(',')}]`}::json) r
      ${onConflict}`.execute(to)
    count += fetched.length
  }
  await sql`close moving`.execute(from)
  return count
}

/** Without those that PostgreSQL derives from others. */
async function readColumns(trx: Trx, name: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(trx)
  return rows.map((row) => row.name)
}

/** Deletes all rows of an account. Its users stay, and so does what other accounts may share. */
export async function deleteRows(trx: Trx, accountId: string): Promise<void> {
  for (const { name, belongs, staysHere } of accountTables.toReversed())
    if (!staysHere) await sql`delete from ${sql.table(name)} t where ${belongs(accountId)}`.execute(trx)
}
