import { Hono } from 'hono'
import { ratecardWebhook } from '@ratecard/webhooks/fetch'

// Bun, Deno and Workers serve this file as it is; on Node hand `app.fetch` to @hono/node-server.

const secret = process.env.RATECARD_WEBHOOK_SECRET
const receive = ratecardWebhook({ secret }, (event) => {
  for (const change of event.changes) console.log(`${change.category}  ${change.title}`)
})

const app = new Hono()
app.all('/webhooks/ratecard', (context) => receive(context.req.raw))

export default app
