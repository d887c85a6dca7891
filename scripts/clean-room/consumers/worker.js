import { smoke } from './smoke.js'

// A Worker. workerd runs its test handler.

export default {
  async test(_controller, { RATECARD_BASE_URL, RATECARD_API_KEY, RATECARD_WEBHOOK_SECRET }) {
    await smoke({ baseUrl: RATECARD_BASE_URL, apiKey: RATECARD_API_KEY, secret: RATECARD_WEBHOOK_SECRET })
  },
}
