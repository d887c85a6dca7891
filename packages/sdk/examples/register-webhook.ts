import { randomBytes } from 'node:crypto'
import { PaymentRequiredError, Ratecard } from '@ratecard/sdk'

// Has change alerts sent to an address of yours: node register-webhook.ts https://hooks.acme.example/ratecard

const url = process.argv[2] ?? 'https://hooks.acme.example/ratecard'
const client = new Ratecard()

// An address that is registered twice would get every alert twice.
for (const webhook of await client.webhooks.list()) {
  if (webhook.url === url) await client.webhooks.delete(webhook.id)
}

try {
  const secret = randomBytes(32).toString('hex')
  const webhook = await client.webhooks.create({ url, secret, events: ['change.alert'] })
  console.log(`${webhook.id} is registered. Keep the secret: it is not shown again.`)
  console.log(`RATECARD_WEBHOOK_SECRET=${secret}`)
} catch (error) {
  if (!(error instanceof PaymentRequiredError)) throw error
  console.log(`The plan allows no more webhooks: ${error.upgradeUrl}`)
}
