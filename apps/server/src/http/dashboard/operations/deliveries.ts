import { z } from 'zod'
import type { Db } from '../../../database/connect.ts'
import * as actions from '../../../features/webhooks/actions.ts'
import * as deliveries from '../../../features/webhooks/delivery-store.ts'
import { adviceOn } from '../../../features/webhooks/explain.ts'
import { readExchanges, type StoredExchange } from '../../../features/webhooks/exchange-store.ts'
import { getWebhook } from '../../../features/webhooks/webhook-store.ts'
import { data } from '../form.ts'
import { forMembers } from '../operation.ts'
import { readPage } from '../read-page.ts'
import { Id, PageQuery } from '../schemas/common.ts'
import { Delivery, DeliveryList, DeliveryState, Exchange } from '../schemas/deliveries.ts'
import type { Schemas } from '../schemas/index.ts'

export const listDeliveries = forMembers.read(
  'GET /deliveries',
  {
    query: PageQuery.extend({ webhook_id: Id.exactOptional(), state: DeliveryState.exactOptional() }),
    200: DeliveryList,
    errors: ['not_found'],
  },
  async ({ member, query }, { db }) => {
    const accountId = member.account.id
    const { webhook_id: webhookId, state, ...position } = query
    const filter = { accountId, webhookId }
    const { rows, next } = await readPage(
      position,
      (from) => deliveries.listDeliveries(db, { ...filter, state, ...from }),
      ({ created_at, id }) => ({ updatedAt: created_at, id }),
    )
    // A deleted subscription is known by what was sent to it.
    const isEmpty = rows.length === 0 && webhookId !== undefined
    if (isEmpty && (await deliveries.listDeliveries(db, { ...filter, limit: 1 })).length === 0)
      await getWebhook(db, accountId, webhookId)
    const data = await deliveryBodies(db, await deliveries.withAttempts(db, rows))
    return { data, ...next }
  },
)

export const getDelivery = forMembers.read(
  'GET /deliveries/{id}',
  { 200: data(Delivery), errors: ['not_found'] },
  async ({ member, path }, { db }) => {
    const delivery = await deliveries.getDelivery(db, path.id, member.account.id)
    return deliveryBody(db, delivery)
  },
)

export const resendDelivery = forMembers.write(
  'POST /deliveries/{id}/resend',
  { 201: data(Delivery), errors: ['not_found', 'conflict'] },
  async ({ path, act }, { openAlertQueue }) => {
    const queue = await openAlertQueue()
    return act(async (trx, by) => {
      const { id } = await actions.resendDelivery(trx, by, queue, path.id)
      return deliveryBody(trx, await deliveries.getDelivery(trx, id))
    })
  },
)

export const getExchange = forMembers.read(
  'GET /deliveries/{id}/exchange',
  {
    query: z.strictObject({
      /** Which attempt of the delivery, from 1; left out: the latest that is kept. */
      attempt: z.int().min(1).max(1000).exactOptional(),
    }),
    200: data(Exchange.nullable()),
    errors: ['not_found'],
  },
  async ({ member, path, query }, { db }) => {
    const exchange = (await readExchanges(db, { ...path, ...query, accountId: member.account.id })).at(-1)
    return exchange ? exchangeBody(exchange) : null
  },
)

function exchangeBody(stored: StoredExchange): Schemas['Exchange'] {
  const { url, request_headers, body, response_headers, response_body, response_is_cut } = stored
  const answer = { headers: response_headers ?? {}, body: response_body ?? '', is_cut: response_is_cut }
  return { url, request_headers, body, answer: response_headers && answer }
}

/** Of these changes the titles are told; of the others the ids. */
const titlesMax = 10

async function deliveryBody(db: Db, record: deliveries.LoggedDelivery): Promise<Schemas['Delivery']> {
  return (await deliveryBodies(db, [record]))[0]!
}

/** Deliveries as the contract has them. */
async function deliveryBodies(
  db: Db,
  records: readonly deliveries.LoggedDelivery[],
): Promise<Schemas['Delivery'][]> {
  const titles = await deliveries.readTitles(
    db,
    records.flatMap(({ changes }) => changes.slice(0, titlesMax)),
  )
  return records.map(({ account_id: _, changes, ...delivery }) => ({
    ...delivery,
    change_ids: changes,
    titles: changes.slice(0, titlesMax).map((id) => titles.get(id) ?? id),
    // What was sent again says so itself.
    advice: delivery.resent_as === null ? adviceOn(delivery.state, delivery.attempts) : null,
  }))
}
