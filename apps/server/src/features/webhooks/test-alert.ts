import { alertedChange, alertText, listEvents } from '@ratecard/contract/alert'
import { newId } from '../../platform/ids.ts'
import type { BodyCheck } from './alert-schema.ts'
import type { SecretBox } from './secret-box.ts'
import { sendWebhook, type SendOptions, type SendResult } from './send-webhook.ts'
import type { SendableWebhook } from './webhook-store.ts'

export interface TestAlertOptions extends SendOptions {
  secrets: SecretBox
  check: BodyCheck
  publicUrl: string
}

/** Sends a signed sample with a change that is not real. Leaves no trace in the subscription's record. */
export async function sendTestAlert(
  {
    id: webhookId,
    account_id: accountId,
    url,
    events,
    sealed,
    nextSealed,
    standard_headers,
  }: SendableWebhook,
  { secrets, check, publicUrl, ...sending }: TestAlertOptions,
): Promise<{ delivery_id: string; body: string; result: SendResult }> {
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
    publicUrl,
  )
  const at = new Date()
  const event = listEvents(events)[0]!
  const text = alertText(event, JSON.stringify([sample]), at)
  const problem = check(event, JSON.parse(text))
  if (problem !== null) throw new Error(`The sample is not what the contract says: ${problem}`)

  const deliveryId = newId('test')
  const owner = { webhookId, accountId }
  const secret = secrets.open(sealed, owner)
  const result = await sendWebhook(
    {
      url,
      secret,
      nextSecret: nextSealed && secrets.open(nextSealed, owner),
      body: Buffer.from(text),
      deliveryId,
      at,
      attempt: 1,
      hasStandardHeaders: standard_headers,
      isTest: true,
    },
    sending,
  )
  return { delivery_id: deliveryId, body: text, result }
}
