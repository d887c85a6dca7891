import process from 'node:process'
import { smoke } from './smoke.js'

// For Node, Deno and Bun.

const { RATECARD_BASE_URL, RATECARD_API_KEY, RATECARD_WEBHOOK_SECRET } = process.env
console.log(
  await smoke({ baseUrl: RATECARD_BASE_URL, apiKey: RATECARD_API_KEY, secret: RATECARD_WEBHOOK_SECRET }),
)
