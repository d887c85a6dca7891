import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { PaymentEvent } from './provider.ts'

/** The account's customer id at the payment provider; undefined: the account has never begun to buy. */
export async function findCustomer(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.customer_id
}

/** @returns the account's customer: this one, or the one that another request has stored first */
export async function keepCustomer(db: Db, accountId: string, customerId: string): Promise<string> {
  await db
    .insertInto('billing_customers')
    .values({ account_id: accountId, customer_id: customerId })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  return (await findCustomer(db, accountId)) ?? customerId
}

export async function findAccountOfCustomer(db: Db, customerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('billing_customers')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.account_id
}

/** By the database's clock, as are the instants that it is compared with. */
export async function readClock(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select ratecard_now() as now`.execute(db)
  return rows[0]!.now
}

/**
 * Records that the provider's answer takes effect, and keeps other answers waiting until the transaction ends.
 * @returns whether it may: false when an answer that was requested later already has
 */
export async function takeAnswer(trx: Trx, accountId: string, askedAt: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('billing_customers')
    .set({ asked_at: askedAt })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<', askedAt)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function isEventNoted(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('payment_events').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/**
 * Records an event in the transaction of its effects. The same event at another connection waits here until that
 * transaction ends.
 * @returns whether it is new
 */
export async function noteEvent(trx: Trx, event: PaymentEvent, accountId: string | null): Promise<boolean> {
  const { id, type, news } = event
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('payment_events')
    .values({
      id,
      type,
      account_id: accountId,
      payment_ref: 'paymentRef' in news ? news.paymentRef : null,
      takes_back: news.kind === 'taken_back',
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Makes events about one payment take effect one after the other. */
export async function lockPayment(trx: Trx, paymentRef: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${paymentRef}`}, 0))`.execute(trx)
}

/** Whether the payment was refunded, even before it was reported. */
export async function wasTakenBack(trx: Trx, paymentRef: string): Promise<boolean> {
  const row = await trx
    .selectFrom('payment_events')
    .select('id')
    .where('payment_ref', '=', paymentRef)
    .where('takes_back', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

/** The account of the pack that a payment bought. */
export async function findAccountOfPayment(db: Db, paymentRef: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('packs')
    .select('account_id')
    .where('payment_ref', '=', paymentRef)
    .executeTakeFirst()
  return row?.account_id
}

export async function isAccount(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
