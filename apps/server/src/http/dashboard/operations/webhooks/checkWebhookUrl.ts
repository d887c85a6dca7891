import { webhookUrlProblem } from '@ratecard/contract/webhook-url'
import type { Operation } from '../../operation.ts'

export const checkWebhookUrl: Operation<'checkWebhookUrl'> = ({ body }, { isAllowedAddress }) =>
  Promise.resolve({
    status: 200,
    body: { data: { problem: webhookUrlProblem(body.url, isAllowedAddress) } },
  })
