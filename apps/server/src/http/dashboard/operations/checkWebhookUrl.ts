import { webhookUrlProblem } from '../../../features/webhooks/webhook-url.ts'
import type { Operation } from '../operation.ts'

export const checkWebhookUrl: Operation<'checkWebhookUrl'> = ({ body }, { isAllowedAddress }) =>
  Promise.resolve({
    status: 200,
    body: { data: { problem: webhookUrlProblem(body.url, isAllowedAddress) } },
  })
