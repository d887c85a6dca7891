import type { Db, Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'
import { AccountStopped, isAnyExpected } from '../accounts/elsewhere.ts'
import { insertAuditEntry, type Acting } from '../audit/audit-store.ts'
import { insertPack, packUnits, voidPack } from '../metering/pack-store.ts'
import {
  findAccountOfCustomer,
  findAccountOfPayment,
  isAccount,
  lockPayment,
  noteEvent,
  wasTakenBack,
} from './billing-store.ts'
import { followSubscriptions } from './follow-subscriptions.ts'
import type { PaymentEvent, PaymentNews, PaymentProvider } from './provider.ts'

type Paid = Extract<PaymentNews, { kind: 'paid' }>
type TakenBack = Extract<PaymentNews, { kind: 'taken_back' }>

const byProvider = (accountId: string): Acting => ({ accountId, actor: { kind: 'provider' } })

/**
 * Applies an event of the payment provider exactly once, whatever the number, order and concurrency of its deliveries.
 */
export async function receivePaymentEvent(
  db: Db,
  paymentProvider: PaymentProvider,
  event: PaymentEvent,
): Promise<void> {
  const { news } = event
  if (news.kind === 'other') return
  if (!(await isOfThisCell(db, news)) && (await isAnyExpected(db))) throw new AccountStopped()
  if (news.kind === 'subscription') {
    return followSubscriptions(db, paymentProvider, event, news.customerId)
  }
  if (news.kind === 'taken_back' && !(await findAccountOfPayment(db, news.paymentRef))) {
    // Perhaps it paid a plan: the plan ends with the refund.
    const customerId = await paymentProvider.endPaidBy(news.paymentRef)
    if (customerId !== null) {
      return followSubscriptions(db, paymentProvider, event, customerId, { reason: news.reason })
    }
  }
  await db.transaction().execute(async (trx) => {
    await lockPayment(trx, news.paymentRef)
    if (news.kind === 'paid') await grantPack(trx, event, news)
    else await takeBack(trx, event, news)
  })
}

/** Whether it is about an account that is here. One that is on its way here hears of it when the event comes again. */
async function isOfThisCell(db: Db, news: PaymentNews): Promise<boolean> {
  switch (news.kind) {
    case 'paid':
      return isAccount(db, news.accountId)
    case 'taken_back':
      return (await findAccountOfPayment(db, news.paymentRef)) !== undefined
    case 'subscription':
      return (await findAccountOfCustomer(db, news.customerId)) !== undefined
    case 'other':
      return true
  }
}

/** One payment is one pack, with as many units as were bought. */
async function grantPack(trx: Trx, event: PaymentEvent, paid: Paid): Promise<void> {
  const { accountId, paymentRef, packs } = paid
  // The event belongs to another installation that sells through the same provider account.
  if (!(await isAccount(trx, accountId))) return
  if (!(await noteEvent(trx, event, accountId))) return
  if ((await findAccountOfPayment(trx, paymentRef)) !== undefined) return
  await lockAccount(trx, accountId)
  const pack = await insertPack(trx, accountId, { units: packs * packUnits, paymentRef })
  const details = { requests: String(pack.units), payment: paymentRef }
  const by = byProvider(accountId)
  await insertAuditEntry(trx, { ...by, action: 'billing.pack_bought', subjectId: pack.id, details })
  if (await wasTakenBack(trx, paymentRef)) await voidPaid(trx, accountId, paymentRef, {})
}

/** Voids the unused units. Used units stay used. */
async function takeBack(trx: Trx, event: PaymentEvent, { paymentRef, reason }: TakenBack): Promise<void> {
  const accountId = await findAccountOfPayment(trx, paymentRef)
  // Recorded even without a pack: the payment may be reported later.
  if (!(await noteEvent(trx, event, accountId ?? null)) || accountId === undefined) return
  await lockAccount(trx, accountId)
  await voidPaid(trx, accountId, paymentRef, { reason })
}

async function voidPaid(
  trx: Trx,
  accountId: string,
  paymentRef: string,
  details: Record<string, string>,
): Promise<void> {
  const pack = await voidPack(trx, paymentRef)
  if (!pack) return
  const facts = { ...details, requests_left: String(pack.remaining), payment: paymentRef }
  const by = byProvider(accountId)
  await insertAuditEntry(trx, { ...by, action: 'billing.pack_voided', subjectId: pack.id, details: facts })
}
