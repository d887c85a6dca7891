import { formatFilter } from '@ratecard/contract/wording'
import type { AddressGuard } from '@ratecard/contract/addresses'
import { webhookSecretProblem, webhookUrlProblem } from '@ratecard/contract/webhook-url'
import { sql } from 'kysely'
import type { WebhookEvent } from '@ratecard/contract'
import type { Db, Trx } from '../../database/connect.ts'
import type { Queue } from '../../queue/queue.ts'
import { lockAccount } from '../accounts/account-store.ts'
import { requireAllowance, type ActionLimit } from '../accounts/action-limit.ts'
import { insertAuditEntry, type Acting } from '../audit/audit-store.ts'
import type { PlanTerms } from '../entitlements/plans.ts'
import { FeatureError } from '../feature-error.ts'
import type { NewDelivery } from './delivery-store.ts'
import { toFilter, type WebhookFilter } from './filter.ts'
import { countFailed, insertResend, insertResends, type FailedFilter } from './resend-store.ts'
import type { SecretBox } from './secret-box.ts'
import * as store from './webhook-store.ts'
import type { WebhookRecord } from './webhook-store.ts'

// Actions on subscriptions and deliveries, through whichever entrance: limit, lock, row and audit entry. Each is part
// of the caller's transaction.

/** Subscriptions that are switched off and that an account may have when it makes another. */
const webhooksOffMax = 100

const testLimit: ActionLimit = { action: 'webhook.tested', most: 10, minutes: 1 }
const resendLimit: ActionLimit = { action: 'delivery.resent', most: 30, minutes: 1 }
const resendAllLimit: ActionLimit = { action: 'deliveries.resent', most: 6, minutes: 1 }

/** Failed deliveries that are sent again together. */
const resentTogetherMax = 100
/** Of those that are left, so many are counted. */
export const failedCountMax = 1_000

/** Resets the failures that would switch a subscription off. */
const cleanSlate = { failing_since: sql<string>`ratecard_now()`, exhausted_count: 0, is_slow: false }

/** The queue of deliveries that are to be sent. */
export type AlertQueue = Pick<Queue, 'enqueue'>

/** @throws FeatureError not_in_plan */
export function requireWebhooks(terms: PlanTerms): void {
  if (terms.operations.has('createWebhook')) return
  throw new FeatureError('The plan does not include webhooks.', { code: 'not_in_plan' })
}

/**
 * Checks an address and a secret, where they are given: before a transaction, since it needs none.
 * @throws FeatureError invalid_input, with what is wrong
 */
export function requireGoodInput(
  { url, secret }: { url?: string | undefined; secret?: string | undefined },
  isAllowedAddress: AddressGuard,
): void {
  const urlProblem = url === undefined ? null : webhookUrlProblem(url, isAllowedAddress)
  const problem = urlProblem ?? (secret === undefined ? null : webhookSecretProblem(secret))
  if (problem !== null) throw new FeatureError(problem, { code: 'invalid_input' })
}

/** @throws FeatureError webhook_limit_reached, or too_many_webhooks_off */
export async function createWebhook(
  trx: Trx,
  by: Acting,
  terms: Pick<PlanTerms, 'activeWebhooksMax'>,
  { filter, ...input }: Omit<store.NewWebhook, 'filter'> & { filter?: Partial<WebhookFilter> | undefined },
  secrets: SecretBox,
): Promise<WebhookRecord> {
  const checked = { ...input, filter: toFilter(filter ?? {}) }
  const { off } = await requireRoom(trx, by.accountId, terms)
  if (off >= webhooksOffMax) {
    const fact = `The account has ${webhooksOffMax} webhooks that are switched off. Delete some of them first.`
    throw new FeatureError(fact, { code: 'too_many_webhooks_off' })
  }
  const webhook = await store.insertWebhook(trx, by.accountId, checked, secrets)
  const words = formatFilter(checked.filter)
  await note(trx, by, 'webhook.created', webhook.id, {
    host: parseHost(input.url),
    ...(words !== null && { filter: shortened(words) }),
  })
  return webhook
}

/**
 * The account's row is locked first: requests that make or switch on subscriptions at the same moment count each other.
 */
async function requireRoom(
  trx: Trx,
  accountId: string,
  { activeWebhooksMax: max }: Pick<PlanTerms, 'activeWebhooksMax'>,
): Promise<{ off: number }> {
  await lockAccount(trx, accountId)
  const { active, off } = await store.countWebhooks(trx, accountId)
  if (active < max) return { off }
  throw new FeatureError(`The account has ${active} active webhooks and its plan allows ${max}.`, {
    code: 'webhook_limit_reached',
    max,
  })
}

export interface WebhookChanges {
  /** Null: it goes by its address. */
  name?: string | null | undefined
  /** All of the filter: what it leaves out filters nothing. */
  filter?: Partial<WebhookFilter> | undefined
  /** Whether the secret that is to come signs from now on, or is forgotten. */
  next_secret?: 'now' | 'never' | undefined
  url?: string | undefined
  events?: WebhookEvent[] | undefined
  active?: boolean | undefined
  standard_headers?: boolean | undefined
}

/**
 * Alters a subscription. Switching on, and a new address, forget past failures. A request that changes nothing is no
 * action.
 * @throws FeatureError not_found, or webhook_limit_reached
 */
export async function updateWebhook(
  trx: Trx,
  by: Acting,
  terms: Pick<PlanTerms, 'activeWebhooksMax'>,
  id: string,
  { name, url, events, filter, active, standard_headers, next_secret }: WebhookChanges,
): Promise<WebhookRecord> {
  const { accountId } = by
  const filterAfter = filter && toFilter(filter)
  // The account before the subscription, as in every action that switches one on: nothing waits in a circle.
  await lockAccount(trx, accountId)
  const before = await store.getWebhook(trx, accountId, id)
  const isOtherFilter = filterAfter && JSON.stringify(filterAfter) !== JSON.stringify(toFilter(before.filter))
  const hasNext = before.next_secret_at !== null
  const changed = {
    ...(name !== undefined && name !== before.name && { name }),
    ...(isOtherFilter && filterAfter),
    ...(hasNext && next_secret === 'now' && { next_secret_at: sql<string>`ratecard_now()` }),
    ...(hasNext && next_secret === 'never' && store.noNextSecret),
    ...(url !== undefined && url !== before.url && { url }),
    ...(events !== undefined && events.join() !== before.events.join() && { events }),
    ...(active !== undefined && active !== before.active && { active }),
    ...(standard_headers !== undefined &&
      standard_headers !== before.standard_headers && { standard_headers }),
  }
  if (Object.keys(changed).length === 0) return before
  if (changed.active) await requireRoom(trx, accountId, terms)
  const isNewBeginning = changed.url !== undefined || changed.active
  const after = await store.updateWebhook(trx, accountId, id, {
    ...changed,
    ...(isNewBeginning && cleanSlate),
  })
  await note(trx, by, 'webhook.updated', id, {
    ...(changed.name !== undefined && { name: changed.name ?? 'none' }),
    ...(isOtherFilter && { filter: shortened(formatFilter(filterAfter) ?? 'none') }),
    ...(hasNext && next_secret !== undefined && { next_secret }),
    ...(changed.url !== undefined && { host: parseHost(changed.url) }),
    ...(changed.events && { events: changed.events.join(', ') }),
    ...(changed.active !== undefined && { active: onOff(changed.active) }),
    ...(changed.standard_headers !== undefined && { standard_headers: onOff(changed.standard_headers) }),
  })
  return after
}

/**
 * Switches a subscription on. The failures of one that is on are reset too.
 * @throws FeatureError not_found, or webhook_limit_reached
 */
export async function enableWebhook(
  trx: Trx,
  by: Acting,
  terms: Pick<PlanTerms, 'activeWebhooksMax'>,
  id: string,
): Promise<WebhookRecord> {
  const { active } = await store.getWebhook(trx, by.accountId, id)
  if (!active) return updateWebhook(trx, by, terms, id, { active: true })
  const webhook = await store.updateWebhook(trx, by.accountId, id, cleanSlate)
  await note(trx, by, 'webhook.updated', id, { active: onOff(true) })
  return webhook
}

/** @throws FeatureError not_found */
export async function deleteWebhook(trx: Trx, by: Acting, id: string): Promise<void> {
  const url = await store.deleteWebhook(trx, by.accountId, id)
  await note(trx, by, 'webhook.deleted', id, { host: parseHost(url) })
}

/**
 * Replaces the secret. With an overlap the old one signs that much longer, while the endpoint learns to accept both.
 * @throws FeatureError not_found
 */
export async function replaceWebhookSecret(
  trx: Trx,
  by: Acting,
  id: string,
  { secret, origin, overlapSeconds = 0 }: NewSecret,
  secrets: SecretBox,
): Promise<WebhookRecord> {
  const { accountId } = by
  const owner = { webhookId: id, accountId }
  const isAtOnce = overlapSeconds === 0
  const webhook = await store.updateWebhook(
    trx,
    accountId,
    id,
    isAtOnce
      ? { ...store.sealedColumns(secrets, secret, owner), ...store.noNextSecret }
      : {
          ...store.settledSecret,
          ...store.nextSealedColumns(secrets, secret, owner),
          next_secret_at: sql<string>`ratecard_now() + make_interval(secs => ${overlapSeconds})`,
        },
  )
  const details = { secret: origin, ...(!isAtOnce && { overlap_seconds: String(overlapSeconds) }) }
  await note(trx, by, 'webhook.secret_rotated', id, details)
  return webhook
}

export interface NewSecret {
  secret: string
  origin: 'generated' | 'given'
  /** 0: the new one signs at once. */
  overlapSeconds?: number
}

/**
 * Records that a sample is about to be sent. It is sent after the transaction, which must not wait for an endpoint.
 * @throws FeatureError too_often
 */
export async function noteWebhookTest(db: Db, by: Acting, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await requireAllowance(trx, by, testLimit)
    await note(trx, by, testLimit.action, id)
  })
}

/**
 * Sends the alert of a delivery to the same subscription again, as a new delivery.
 * @throws FeatureError not_found, conflict when the subscription is deleted, or too_often
 */
export async function resendDelivery(
  trx: Trx,
  by: Acting,
  queue: AlertQueue,
  id: string,
): Promise<NewDelivery> {
  const delivery = await insertResend(trx, id, by.accountId)
  await requireAllowance(trx, by, resendLimit)
  const job = { data: { deliveryId: delivery.id, attempt: 1 }, group: delivery.webhookId }
  await queue.enqueue(trx, 'deliver', [job])
  await note(trx, by, resendLimit.action, id, { new_delivery: delivery.id, webhook: delivery.webhookId })
  return delivery
}

/**
 * Sends again what failed at a subscription, the oldest first, each alert once.
 * @returns the new deliveries, and how many alerts are left that failed
 * @throws FeatureError not_found, or too_often
 */
export async function resendFailed(
  trx: Trx,
  by: Acting,
  queue: AlertQueue,
  { webhookId, since }: Omit<FailedFilter, 'accountId'>,
): Promise<{ deliveries: NewDelivery[]; left: number }> {
  // Locked: two who press at the same moment send each alert once.
  await lockAccount(trx, by.accountId)
  await store.getWebhook(trx, by.accountId, webhookId)
  await requireAllowance(trx, by, resendAllLimit)
  const filter = { accountId: by.accountId, webhookId, since }
  const deliveries = await insertResends(trx, filter, resentTogetherMax)
  if (deliveries.length === 0) return { deliveries, left: 0 }
  const jobs = deliveries.map(({ id }) => ({ data: { deliveryId: id, attempt: 1 }, group: webhookId }))
  await queue.enqueue(trx, 'deliver', jobs)
  await note(trx, by, resendAllLimit.action, webhookId, { deliveries: String(deliveries.length) })
  return { deliveries, left: await countFailed(trx, filter, failedCountMax) }
}

async function note(
  trx: Trx,
  by: Acting,
  action: ActionLimit['action'],
  subjectId: string,
  details: Record<string, string> = {},
): Promise<void> {
  await insertAuditEntry(trx, { ...by, action, subjectId, details })
}

/** Not the whole address: some contain a token of their receiver. */
function parseHost(url: string): string {
  return new URL(url).host
}

const detailLengthMax = 200

/** For an audit entry: a filter may hold many names. */
function shortened(text: string): string {
  return text.length <= detailLengthMax ? text : `${text.slice(0, detailLengthMax).toWellFormed()}…`
}

function onOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}
