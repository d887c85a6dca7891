import { z } from 'zod'
import { webhookUrlProblem } from '@ratecard/contract/webhook-url'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import * as actions from '../../../features/webhooks/actions.ts'
import { findObstacle } from '../../../features/webhooks/explain.ts'
import { toFilter } from '../../../features/webhooks/filter.ts'
import { previewFilter, readFilterNames } from '../../../features/webhooks/filter-preview.ts'
import { countFailed } from '../../../features/webhooks/resend-store.ts'
import { generateWebhookSecret } from '../../../features/webhooks/secret.ts'
import * as webhooks from '../../../features/webhooks/webhook-store.ts'
import { toInstant } from '../../../platform/instant.ts'
import { data } from '../form.ts'
import { toActing } from '../member.ts'
import { forMembers } from '../operation.ts'
import { readPage } from '../read-page.ts'
import { Done, PageQuery } from '../schemas/common.ts'
import { Attempt } from '../schemas/deliveries.ts'
import {
  FilterNames,
  FilterPreview,
  NewWebhook,
  ResendInput,
  Resent,
  UrlVerdict,
  Webhook,
  WebhookFilter,
  WebhookInput,
  WebhookList,
  WebhookPatch,
  WebhookSecretInput,
} from '../schemas/webhooks.ts'
import type { Schemas } from '../schemas/index.ts'

export const listWebhooks = forMembers.read(
  'GET /webhooks',
  { query: PageQuery, 200: WebhookList },
  async ({ member, query }, { db }) => {
    const accountId = member.account.id
    const [{ rows, next }, { active }, { activeWebhooksMax }] = await Promise.all([
      readPage(
        query,
        (from) => webhooks.listWebhooks(db, accountId, from),
        ({ created_at, id }) => ({ updatedAt: created_at, id }),
      ),
      webhooks.countWebhooks(db, accountId),
      readTerms(db, accountId),
    ])
    const active_max = Number.isFinite(activeWebhooksMax) ? activeWebhooksMax : null
    return { data: rows.map(webhookBody), active, active_max, ...next }
  },
)

export const createWebhook = forMembers.write(
  'POST /webhooks',
  { body: WebhookInput, 201: data(NewWebhook), errors: ['webhook_limit_reached', 'forbidden'] },
  async ({ member, body, act }, { db, secrets, isAllowedAddress }) => {
    const { url, filter, events } = body
    const secret = body.secret ?? generateWebhookSecret()
    const input = { url, filter, events, secret, name: cleanName(body.name) ?? null }
    const terms = await readTerms(db, member.account.id)
    actions.requireWebhooks(terms)
    actions.requireGoodInput(input, isAllowedAddress)
    const webhook = await act((trx, by) => actions.createWebhook(trx, by, terms, input, secrets))
    return { secret: input.secret, record: webhookBody(webhook) }
  },
)

/** Sent while the user types; writes nothing. */
export const checkWebhookUrl = forMembers.read(
  'POST /webhook-url',
  { body: z.strictObject({ url: z.string().max(4096) }), 200: data(UrlVerdict) },
  ({ body }, { isAllowedAddress }) =>
    Promise.resolve({ problem: webhookUrlProblem(body.url, isAllowedAddress) }),
)

export const getWebhook = forMembers.read(
  'GET /webhooks/{id}',
  { 200: data(Webhook), errors: ['not_found'] },
  async ({ member, path }, { db }) => {
    const accountId = member.account.id
    const webhook = await webhooks.getWebhook(db, accountId, path.id)
    const failed = { accountId, webhookId: path.id, since: null }
    const failed_count = await countFailed(db, failed, actions.failedCountMax)
    return { ...webhookBody(webhook), failed_count }
  },
)

export const updateWebhook = forMembers.write(
  'PATCH /webhooks/{id}',
  { body: WebhookPatch, 200: data(Webhook), errors: ['not_found', 'webhook_limit_reached'] },
  async ({ member, path, body, act }, { db, isAllowedAddress }) => {
    actions.requireGoodInput({ url: body.url }, isAllowedAddress)
    const terms = await readTerms(db, member.account.id)
    const webhook = await act((trx, by) =>
      actions.updateWebhook(trx, by, terms, path.id, { ...body, name: cleanName(body.name) }),
    )
    return webhookBody(webhook)
  },
)

export const deleteWebhook = forMembers.write(
  'DELETE /webhooks/{id}',
  { 200: Done, errors: ['not_found'] },
  ({ path, act }) => act((trx, by) => actions.deleteWebhook(trx, by, path.id)),
)

export const rotateWebhookSecret = forMembers.write(
  'POST /webhooks/{id}/secret',
  { body: WebhookSecretInput, 200: data(NewWebhook), errors: ['not_found'] },
  async ({ path, body, act }, { secrets, isAllowedAddress }) => {
    actions.requireGoodInput(body, isAllowedAddress)
    const origin = body.secret === undefined ? 'generated' : 'given'
    const secret = body.secret ?? generateWebhookSecret()
    const next = { secret, origin, overlapSeconds: body.overlap_seconds } as const
    const webhook = await act((trx, by) => actions.replaceWebhookSecret(trx, by, path.id, next, secrets))
    return { secret, record: webhookBody(webhook) }
  },
)

export const testWebhook = forMembers.foreign(
  'POST /webhooks/{id}/test',
  { 200: data(Attempt), errors: ['not_found', 'forbidden'] },
  async ({ member, path }, services) => {
    const { db, clock, sendTestAlert } = services
    const webhook = await webhooks.getSendableWebhook(db, member.account.id, path.id)
    actions.requireWebhooks(await readTerms(db, member.account.id))
    await actions.noteWebhookTest(db, toActing(member), path.id)
    const startedAt = clock.now()
    const { result, body } = await sendTestAlert(webhook)
    const { durationMs, status, errorClass, error, exchange } = result
    const { url, requestHeaders, answer } = exchange
    return {
      attempt: 1,
      started_at: toInstant(startedAt),
      duration_ms: durationMs,
      status,
      error_class: errorClass,
      error,
      exchange: {
        url,
        request_headers: requestHeaders,
        body,
        answer: answer && { headers: answer.headers, body: answer.body, is_cut: answer.isCut },
      },
    }
  },
)

/** Sent while the user types; writes nothing. */
export const previewWebhookFilter = forMembers.read(
  'POST /webhook-filter',
  { body: WebhookFilter, 200: data(FilterPreview) },
  ({ body }, { db, alertSeverityMin }) => previewFilter(db, toFilter(body), alertSeverityMin),
)

export const listWebhookFilterNames = forMembers.read(
  'GET /webhook-filter-names',
  { 200: data(FilterNames) },
  (_call, { db }) => readFilterNames(db),
)

export const resendFailedDeliveries = forMembers.write(
  'POST /webhooks/{id}/resend-failed',
  { body: ResendInput, 200: data(Resent), errors: ['not_found'] },
  async ({ path, body, act }, { openAlertQueue }) => {
    const queue = await openAlertQueue()
    const failed = { webhookId: path.id, since: body.since ?? null }
    const { deliveries, left } = await act((trx, by) => actions.resendFailed(trx, by, queue, failed))
    return { resent: deliveries.length, left }
  },
)

/** A name of spaces alone is none. */
function cleanName(name: string | null | undefined): string | null | undefined {
  return name == null ? name : name.trim() || null
}

/** A subscription as the contract has it. */
function webhookBody(record: webhooks.WebhookRecord): Schemas['Webhook'] {
  const { account_id: _, entitled: __, ...webhook } = record
  return { ...webhook, obstacle: findObstacle(record) }
}
