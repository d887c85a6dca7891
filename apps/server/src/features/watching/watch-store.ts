import { sql } from 'kysely'
import type { WatchedThing, Watcher } from '../../catalog/watch-list.ts'
import type { Db, Trx } from '../../database/connect.ts'
import { FeatureError } from '../feature-error.ts'

/** More than anybody follows; whoever wants everything has the feed of changes. */
export const watchesMax = 200

/**
 * Puts something on a user's list. What is on it already stays as it is.
 * @throws FeatureError invalid_input when nothing has that name, conflict when the list is full
 */
export async function watch(trx: Trx, { accountId, userId }: Watcher, thing: WatchedThing): Promise<void> {
  if (!(await isKnown(trx, thing))) {
    const fact = `There is no ${thing.kind} “${thing.name}”, neither in the prices nor in the changes.`
    throw new FeatureError(fact, { code: 'invalid_input' })
  }
  // Two stars that are set at the same moment count each other.
  await trx
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .execute()
  await trx
    .insertInto('watches')
    .values(toRow({ accountId, userId }, thing))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { count } = await trx
    .selectFrom('watches')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count > watchesMax) {
    const fact = `You watch ${watchesMax} products and vendors, as many as one may. Take one off your watch list first.`
    throw new FeatureError(fact, { code: 'conflict' })
  }
}

export async function unwatch(db: Db, watcher: Watcher, thing: WatchedThing): Promise<void> {
  await db
    .deleteFrom('watches')
    .where((eb) => eb.and(toRow(watcher, thing)))
    .execute()
}

export async function isWatched(db: Db, watcher: Watcher, thing: WatchedThing): Promise<boolean> {
  const found = await db
    .selectFrom('watches')
    .select('kind')
    .where((eb) => eb.and(toRow(watcher, thing)))
    .executeTakeFirst()
  return found !== undefined
}

function toRow({ accountId, userId }: Watcher, { kind, name }: WatchedThing) {
  return { account_id: accountId, user_id: userId, kind, name }
}

/** Whether a price or a change has the name. */
async function isKnown(db: Db, { kind, name }: WatchedThing): Promise<boolean> {
  const known =
    kind === 'vendor'
      ? sql<boolean>`exists (select from prices where vendor = ${name})
          or exists (select from changes where vendor = ${name})`
      : sql<boolean>`exists (select from prices where product_id = ${name})
          or exists (select from prices where resource_id = ${name} and product_id is null)
          or exists (select from changes where product = ${name} and category <> 'incident')`
  const { rows } = await sql<{ known: boolean }>`select ${known} as known`.execute(db)
  return rows[0]?.known === true
}
