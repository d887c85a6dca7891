import { sql, type RawBuilder } from 'kysely'
import { deleteAged, readOldestSeconds } from '../../src/database/aged-rows.ts'
import type { Db, Trx } from '../../src/database/connect.ts'
import { idleRuns } from '../../src/ingest/run/old-runs.ts'
import { listAuditEntries } from '../../src/features/audit/audit-log.ts'
import { deleteExcessEntries, ownEntries } from '../../src/features/audit/old-entries.ts'
import { findCaller } from '../../src/features/entitlements/caller-store.ts'
import { dailyLimits } from '../../src/features/entitlements/plans.ts'
import { listEndedKeys, listWorkingKeys } from '../../src/features/metering/key-record-store.ts'
import { deleteOldUsage, endedKeys, readOldestUsageSeconds } from '../../src/features/metering/old-usage.ts'
import { listLivePacks, listPacks } from '../../src/features/metering/pack-store.ts'
import { countLines, listRequests, sumRequests } from '../../src/features/metering/request-report-store.ts'
import { deleteExcessCounts, deleteExcessLines, oldLines } from '../../src/features/metering/request-store.ts'
import { reserveArguments } from '../../src/features/metering/unit-store.ts'
import {
  listQuotas,
  listUsage,
  listUsageByDay,
  readUtcDay,
} from '../../src/features/metering/usage-report-store.ts'
import { addDays } from '../../src/features/metering/usage-span.ts'
import { verifyLedger } from '../../src/features/metering/verify-ledger.ts'
import { readFirstSteps } from '../../src/features/metering/first-steps-store.ts'
import {
  decideKeys,
  decidePacks,
  decideQuotas,
  decideWebhooks,
} from '../../src/features/notices/decide-usage.ts'
import { countMails, listNotices, notices } from '../../src/features/notices/notice-store.ts'
import { getDelivery, listDeliveries, readTargets } from '../../src/features/webhooks/delivery-store.ts'
import { deleteExcessExchanges, exchanges } from '../../src/features/webhooks/exchange-store.ts'
import { alertsWithoutDelivery, finishedDeliveries } from '../../src/features/webhooks/old-deliveries.ts'
import { listRecentFailures } from '../../src/features/webhooks/recent-failures.ts'
import { countFailed } from '../../src/features/webhooks/resend-store.ts'
import { listWebhooks } from '../../src/features/webhooks/webhook-store.ts'
import { captureStatements, type Statement } from './explain.ts'

// What customers and operators wait for, and what workers do from time to time, by the functions that ask it.

export interface WaitedFor {
  name: string
  /** Who waits: their requests, a click, or nobody. */
  by: 'request' | 'click' | 'worker'
  /** It reads whole tables on purpose. */
  readsAll?: true
  statements: Statement[]
}

/** The statements of an account that fills its share. */
export async function listWaitedFor(db: Db, accountId: string): Promise<WaitedFor[]> {
  const one = async (query: RawBuilder<{ id: string }>) => (await query.execute(db)).rows[0]!.id
  const webhookId = await one(sql`select id from webhooks where account_id = ${accountId} limit 1`)
  const deliveryId = await one(sql`select id from deliveries where account_id = ${accountId} limit 1`)
  const userId = await one(sql`select user_id as id from members where account_id = ${accountId} limit 1`)
  const hash = await one(sql`select encode(hash, 'hex') as id from api_keys
    where account_id = ${accountId} and ends_at is null order by api_keys.id limit 1`)
  const to = (await readUtcDay(db)).day
  const first = { cursor: null, limit: 100 }
  // It is explained in a transaction, which is undone.
  const trx = db as Trx
  const asked: [WaitedFor['by'], string, () => Promise<unknown>, Partial<WaitedFor>?][] = [
    [
      'request',
      'reserve a unit',
      () =>
        sql`select reserve_units(${sql.join(
          reserveArguments(null, dailyLimits, [
            { keyHash: hash, endpoint: 'prices', plans: 31, version: null, want: 1 },
          ]),
        )})`.execute(db),
    ],
    ['request', 'find the caller', () => findCaller(db, 'rc_live_none')],
    ['request', 'webhooks of an account', () => listWebhooks(db, accountId)],
    ['click', 'usage, 400 days', () => listUsage(db, accountId, { from: addDays(to, -399), to }, 25_001)],
    ['click', 'usage by day, 30 days', () => listUsageByDay(db, accountId, { from: addDays(to, -29), to })],
    ['click', 'quotas', () => listQuotas(db, accountId)],
    ['click', 'first steps', () => readFirstSteps(db, accountId)],
    ['click', 'working keys', () => listWorkingKeys(db, accountId)],
    ['click', 'ended keys', () => listEndedKeys(db, accountId, { cursor: null, limit: 50 })],
    ['click', 'packs', () => Promise.all([listPacks(db, accountId), listLivePacks(db, accountId)])],
    ['click', 'request log', () => listRequests(db, accountId, {}, first)],
    ['click', 'request log, refused', () => listRequests(db, accountId, { status: 'refused' }, first)],
    ['click', 'request log, outcomes', () => sumRequests(db, accountId, {}, { days: 7 })],
    ['click', 'request log, lines', () => countLines(db, accountId, {})],
    ['click', 'deliveries of an account', () => listDeliveries(db, { accountId, limit: 100 })],
    ['click', 'deliveries of a webhook', () => listDeliveries(db, { accountId, webhookId, limit: 100 })],
    [
      'click',
      'deliveries, exhausted',
      () => listDeliveries(db, { accountId, state: 'exhausted', limit: 100 }),
    ],
    [
      'click',
      'deliveries, cancelled (none)',
      () => listDeliveries(db, { accountId, state: 'cancelled', limit: 100 }),
    ],
    ['click', 'a delivery', () => getDelivery(db, deliveryId, accountId)],
    ['click', 'recent failures', () => listRecentFailures(db, accountId)],
    ['click', 'failed, to resend', () => countFailed(db, { accountId, webhookId, since: null }, 100)],
    ['click', 'audit log', () => listAuditEntries(db, accountId, {}, first)],
    ['click', 'audit log, searched', () => listAuditEntries(db, accountId, { search: 'nobody' }, first)],
    ['click', 'notices', () => listNotices(db, userId, 50)],
    ['worker', 'targets of an alert', () => readTargets(trx, 'price.changed' as never), { readsAll: true }],
    ['worker', 'mails of a person', () => countMails(db, userId)],
    ['worker', 'quotas nearly used', () => decideQuotas(trx, { canMail: true })],
    ['worker', 'packs nearly used', () => decidePacks(trx, { canMail: true })],
    ['worker', 'keys that expire', () => decideKeys(trx, { canMail: true })],
    ['worker', 'webhooks that fail', () => decideWebhooks(trx, { canMail: true })],
    ['worker', 'ledger verify', () => verifyLedger(db), { readsAll: true }],
    ['worker', 'forget deliveries', () => deleteAged(db, finishedDeliveries, 30)],
    ['worker', 'forget alerts', () => deleteAged(db, alertsWithoutDelivery, 30)],
    ['worker', 'forget exchanges', () => deleteAged(db, exchanges, 7)],
    ['worker', 'forget excess exchanges', () => deleteExcessExchanges(db)],
    ['worker', 'forget usage', () => deleteOldUsage(db, 400)],
    ['worker', 'oldest usage', () => readOldestUsageSeconds(db, 400)],
    ['worker', 'forget keys', () => deleteAged(db, endedKeys, 400)],
    ['worker', 'forget lines', () => deleteAged(db, oldLines, 7)],
    ['worker', 'oldest line', () => readOldestSeconds(db, oldLines)],
    ['worker', 'forget excess lines', () => deleteExcessLines(db)],
    ['worker', 'forget excess counts', () => deleteExcessCounts(db)],
    ['worker', 'forget audit entries', () => deleteAged(db, ownEntries, 400)],
    ['worker', 'forget excess entries', () => deleteExcessEntries(db)],
    ['worker', 'forget notices', () => deleteAged(db, notices, 60)],
    ['worker', 'forget runs', () => deleteAged(db, idleRuns, 400)],
  ]
  const found: WaitedFor[] = []
  for (const [by, name, ask, more] of asked)
    found.push({ ...{ by, name, ...more }, statements: await captureStatements(ask) })
  return found
}
