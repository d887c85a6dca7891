import { loadContract } from './platform/contract.ts'
import { alertBody, alertedChange } from './features/webhooks/alert-body.ts'
import { createBodyCheck } from './features/webhooks/alert-schema.ts'
import type { WebhookRecord } from './features/webhooks/operate-webhooks.ts'
import type { SecretBox } from './features/webhooks/secret-box.ts'
import { sendWebhook, type SendResult } from './features/webhooks/send-webhook.ts'
import { publicUrls, type Config } from './platform/config.ts'
import { newId } from './platform/ids.ts'
import { createWebhookAgent, userAgent } from './worker.ts'

/** Sends a signed sample that tells of nothing real. Leaves no trace in the subscription's record. */
export async function sendTestAlert(
  config: Config,
  { id: webhookId, account_id: accountId, url, sealed }: WebhookRecord,
  secrets: SecretBox,
): Promise<{ delivery_id: string; result: SendResult }> {
  const sample = alertedChange(
    {
      id: newId('test'),
      vendor: 'ratecard-test',
      product: 'ratecard-test/sample',
      category: 'price_cut',
      title: 'A test alert',
      summary: 'Sent to try out this endpoint. No price has changed.',
      severity: 1,
    },
    publicUrls(config, config.PORT).base,
  )
  const body = alertBody(JSON.stringify([sample]), new Date())
  const problem = createBodyCheck((await loadContract()).document)(JSON.parse(body.toString()))
  if (problem !== null) throw new Error(`The sample is not what the contract says: ${problem}`)

  const deliveryId = newId('test')
  const secret = secrets.open(sealed, { webhookId, accountId })
  const agent = await createWebhookAgent(config)
  try {
    const request = { url, secret, body, deliveryId, attempt: 1, isTest: true }
    const result = await sendWebhook(request, {
      agent,
      timeoutMs: config.WEBHOOK_TIMEOUT,
      userAgent: userAgent(),
    })
    return { delivery_id: deliveryId, result }
  } finally {
    await agent.destroy()
  }
}
