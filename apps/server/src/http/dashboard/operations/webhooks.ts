import { webhookUrlProblem } from '@ratecard/contract/webhook-url'
import type { Schemas } from '@ratecard/dashboard/contract'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import * as actions from '../../../features/webhooks/actions.ts'
import { obstacleOf } from '../../../features/webhooks/explain.ts'
import { generateWebhookSecret } from '../../../features/webhooks/secret.ts'
import * as webhooks from '../../../features/webhooks/webhook-store.ts'
import { toInstant } from '../../../platform/instant.ts'
import { actingOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { readPage } from '../read-page.ts'

export const listWebhooks: Operation<'listWebhooks'> = async ({ member, query }, { db, plans }) => {
  const accountId = member.account.id
  const [{ rows, next }, { active }, { activeWebhooksMax }] = await Promise.all([
    readPage(
      query,
      (from) => webhooks.listWebhooks(db, accountId, from),
      ({ created_at, id }) => ({ updatedAt: created_at, id }),
    ),
    webhooks.countWebhooks(db, accountId),
    readTerms(db, plans, accountId),
  ])
  const active_max = Number.isFinite(activeWebhooksMax) ? activeWebhooksMax : null
  return { status: 200, body: { data: rows.map(webhookBody), active, active_max, ...next } }
}

export const createWebhook: Operation<'createWebhook'> = async ({ member, body }, services) => {
  const { db, plans, secrets, isAllowedAddress } = services
  // The validator puts the default of `events` in.
  const input = { ...body, events: body.events!, secret: body.secret ?? generateWebhookSecret() }
  const terms = await readTerms(db, plans, member.account.id)
  actions.requireWebhooks(terms)
  actions.requireGoodInput(input, isAllowedAddress)
  const webhook = await db
    .transaction()
    .execute((trx) => actions.createWebhook(trx, actingOf(member), terms, input, secrets))
  return { status: 201, body: { data: { secret: input.secret, record: webhookBody(webhook) } } }
}

export const checkWebhookUrl: Operation<'checkWebhookUrl'> = ({ body }, { isAllowedAddress }) =>
  Promise.resolve({
    status: 200,
    body: { data: { problem: webhookUrlProblem(body.url, isAllowedAddress) } },
  })

export const getWebhook: Operation<'getWebhook'> = async ({ member, path }, { db }) => {
  const webhook = await webhooks.getWebhook(db, member.account.id, path.id)
  return { status: 200, body: { data: webhookBody(webhook) } }
}

export const updateWebhook: Operation<'updateWebhook'> = async ({ member, path, body }, services) => {
  const { db, plans, isAllowedAddress } = services
  actions.requireGoodInput({ url: body.url }, isAllowedAddress)
  const terms = await readTerms(db, plans, member.account.id)
  const webhook = await db
    .transaction()
    .execute((trx) => actions.updateWebhook(trx, actingOf(member), terms, path.id, body))
  return { status: 200, body: { data: webhookBody(webhook) } }
}

export const deleteWebhook: Operation<'deleteWebhook'> = async ({ member, path }, { db }) => {
  await db.transaction().execute((trx) => actions.deleteWebhook(trx, actingOf(member), path.id))
  return { status: 200, body: { success: true } }
}

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = async (
  { member, path, body },
  { db, secrets, isAllowedAddress },
) => {
  actions.requireGoodInput(body, isAllowedAddress)
  const origin = body.secret === undefined ? 'generated' : 'given'
  const secret = body.secret ?? generateWebhookSecret()
  const webhook = await db
    .transaction()
    .execute((trx) =>
      actions.replaceWebhookSecret(trx, actingOf(member), path.id, { secret, origin }, secrets),
    )
  return { status: 200, body: { data: { secret, record: webhookBody(webhook) } } }
}

export const testWebhook: Operation<'testWebhook'> = async ({ member, path }, services) => {
  const { db, plans, clock, sendTestAlert } = services
  const webhook = await webhooks.getSendableWebhook(db, member.account.id, path.id)
  actions.requireWebhooks(await readTerms(db, plans, member.account.id))
  await actions.noteWebhookTest(db, actingOf(member), path.id)
  const startedAt = clock.now()
  const { durationMs, status, errorClass, error } = await sendTestAlert(webhook)
  return {
    status: 200,
    body: {
      data: {
        attempt: 1,
        started_at: toInstant(startedAt),
        duration_ms: durationMs,
        status,
        error_class: errorClass,
        error,
      },
    },
  }
}

/** A subscription as the contract has it. */
function webhookBody(record: webhooks.WebhookRecord): Schemas['Webhook'] {
  const { account_id: _, entitled: __, ...webhook } = record
  return { ...webhook, obstacle: obstacleOf(record) }
}
