import { ratecardWebhook } from '@ratecard/webhooks/lambda'

// AWS Lambda, behind API Gateway (payload 1.0 or 2.0), a function URL or a load balancer.

const secret = process.env.RATECARD_WEBHOOK_SECRET

export const handler = ratecardWebhook({ secret }, (event) => {
  for (const change of event.changes) console.log(`${change.category}  ${change.title}`)
})
