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
import { done, forMembers } from '../operation.ts'
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
    return { status: 200, body: { data: rows.map(webhookBody), active, active_max, ...next } }
  },
)

export const createWebhook = forMembers.write(
  'POST /webhooks',
  { body: WebhookInput, 201: data(NewWebhook), errors: ['webhook_limit_reached', 'forbidden'] },
  async ({ member, body }, services) => {
    const { db, secrets, isAllowedAddress } = services
    const { url, filter, events } = body
    const secret = body.secret ?? generateWebhookSecret()
    const input = { url, filter, events, secret, name: cleanName(body.name) ?? null }
    const terms = await readTerms(db, member.account.id)
    actions.requireWebhooks(terms)
    actions.requireGoodInput(input, isAllowedAddress)
    const webhook = await db
      .transaction()
      .execute((trx) => actions.createWebhook(trx, toActing(member), terms, input, secrets))
    return { status: 201, body: { data: { secret: input.secret, record: webhookBody(webhook) } } }
  },
)

/** Sent while the user types; writes nothing. */
export const checkWebhookUrl = forMembers.read(
  'POST /webhook-url',
  { body: z.strictObject({ url: z.string().max(4096) }), 200: data(UrlVerdict) },
  ({ body }, { isAllowedAddress }) =>
    Promise.resolve({
      status: 200,
      body: { data: { problem: webhookUrlProblem(body.url, isAllowedAddress) } },
    }),
)

export const getWebhook = forMembers.read(
  'GET /webhooks/{id}',
  { 200: data(Webhook), errors: ['not_found'] },
  async ({ member, path }, { db }) => {
    const accountId = member.account.id
    const webhook = await webhooks.getWebhook(db, accountId, path.id)
    const failed = { accountId, webhookId: path.id, since: null }
    const failed_count = await countFailed(db, failed, actions.failedCountMax)
    return { status: 200, body: { data: { ...webhookBody(webhook), failed_count } } }
  },
)

export const updateWebhook = forMembers.write(
  'PATCH /webhooks/{id}',
  { body: WebhookPatch, 200: data(Webhook), errors: ['not_found', 'webhook_limit_reached'] },
  async ({ member, path, body }, services) => {
    const { db, isAllowedAddress } = services
    actions.requireGoodInput({ url: body.url }, isAllowedAddress)
    const terms = await readTerms(db, member.account.id)
    const webhook = await db
      .transaction()
      .execute((trx) =>
        actions.updateWebhook(trx, toActing(member), terms, path.id, { ...body, name: cleanName(body.name) }),
      )
    return { status: 200, body: { data: webhookBody(webhook) } }
  },
)

export const deleteWebhook = forMembers.write(
  'DELETE /webhooks/{id}',
  { 200: Done, errors: ['not_found'] },
  async ({ member, path }, { db }) => {
    await db.transaction().execute((trx) => actions.deleteWebhook(trx, toActing(member), path.id))
    return done
  },
)

export const rotateWebhookSecret = forMembers.write(
  'POST /webhooks/{id}/secret',
  { body: WebhookSecretInput, 200: data(NewWebhook), errors: ['not_found'] },
  async ({ member, path, body }, { db, secrets, isAllowedAddress }) => {
    actions.requireGoodInput(body, isAllowedAddress)
    const origin = body.secret === undefined ? 'generated' : 'given'
    const secret = body.secret ?? generateWebhookSecret()
    const next = { secret, origin, overlapSeconds: body.overlap_seconds } as const
    const webhook = await db
      .transaction()
      .execute((trx) => actions.replaceWebhookSecret(trx, toActing(member), path.id, next, secrets))
    return { status: 200, body: { data: { secret, record: webhookBody(webhook) } } }
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
          exchange: {
            url: exchange.url,
            request_headers: exchange.requestHeaders,
            body,
            answer: exchange.answer && {
              headers: exchange.answer.headers,
              body: exchange.answer.body,
              is_cut: exchange.answer.isCut,
            },
          },
        },
      },
    }
  },
)

/** Sent while the user types; writes nothing. */
export const previewWebhookFilter = forMembers.read(
  'POST /webhook-filter',
  { body: WebhookFilter, 200: data(FilterPreview) },
  async ({ body }, { db, alertSeverityMin }) => {
    const preview = await previewFilter(db, toFilter(body), alertSeverityMin)
    return { status: 200, body: { data: preview } }
  },
)

export const listWebhookFilterNames = forMembers.read(
  'GET /webhook-filter-names',
  { 200: data(FilterNames) },
  async (_call, { db }) => ({
    status: 200,
    body: { data: await readFilterNames(db) },
  }),
)

export const resendFailedDeliveries = forMembers.write(
  'POST /webhooks/{id}/resend-failed',
  { body: ResendInput, 200: data(Resent), errors: ['not_found'] },
  async ({ member, path, body }, { db, openAlertQueue }) => {
    const queue = await openAlertQueue()
    const failed = { webhookId: path.id, since: body.since ?? null }
    const { deliveries, left } = await db
      .transaction()
      .execute((trx) => actions.resendFailed(trx, toActing(member), queue, failed))
    return { status: 200, body: { data: { resent: deliveries.length, left } } }
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
