import { createServer } from 'node:http'
import process from 'node:process'
import { ratecardWebhook } from '@ratecard/webhooks/node'

// A receiver of alerts at the port of PORT, with the secret of RATECARD_WEBHOOK_SECRET.

const secret = process.env.RATECARD_WEBHOOK_SECRET
const handle = ratecardWebhook({ secret }, (alert) => console.log(`${alert.changes.length} changes`))
createServer(handle).listen(Number(process.env.PORT), '127.0.0.1')
