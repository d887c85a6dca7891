import express from 'express'
import { ratecardWebhook } from '@ratecard/webhooks/express'

// Before express.json(): what is verified are the bytes that were sent.

const secret = process.env.RATECARD_WEBHOOK_SECRET
const app = express()

app.all(
  '/webhooks/ratecard',
  ratecardWebhook({ secret }, (event) => {
    for (const change of event.changes) console.log(`${change.category}  ${change.title}`)
  }),
)
app.use(express.json())

const server = app.listen(process.env.PORT ?? 3000, () => console.log('listening on', server.address()))
