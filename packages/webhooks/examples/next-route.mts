import { ratecardWebhook } from '@ratecard/webhooks/fetch'

// Next.js: save it as app/webhooks/ratecard/route.ts. Nothing to configure: route handlers get the raw body.

const secret = process.env.RATECARD_WEBHOOK_SECRET

export const POST = ratecardWebhook({ secret }, (event) => {
  for (const change of event.changes) console.log(`${change.category}  ${change.title}`)
})
