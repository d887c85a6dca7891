import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import type { Received } from './receiver.ts'

// The results of the libraries of Standard Webhooks for a delivery.

/** Whether each takes it. */
export interface Verdicts {
  standardwebhooks: boolean
  svix: boolean
}

export const allAccept: Verdicts = { standardwebhooks: true, svix: true }
export const allRefuse: Verdicts = { standardwebhooks: false, svix: false }

/** Their results for a delivery that should be signed with this secret. */
export function verdictsOf({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): Verdicts {
  const key = `whsec_${Buffer.from(secret).toString('base64')}`
  const accepts = (Library: typeof StandardWebhook | typeof SvixWebhook) => {
    try {
      new Library(key).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  return { standardwebhooks: accepts(StandardWebhook), svix: accepts(SvixWebhook) }
}
