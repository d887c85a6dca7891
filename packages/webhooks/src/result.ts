import { WebhookVerificationError } from './error.ts'
import type { Passed } from './pipeline.ts'

/** The result of a verification: the event and the index of the secret, or the error of a delivery not to act on. */
export type WebhookResult = ({ ok: true } & Passed) | { ok: false; error: WebhookVerificationError }

/** A refused delivery is a result. Any other error is a mistake in the program and stays an exception. */
export function refused(error: unknown): { ok: false; error: WebhookVerificationError } {
  if (error instanceof WebhookVerificationError) return { ok: false, error }
  throw error
}
