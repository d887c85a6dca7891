import { WebhookVerificationError } from './error.ts'
import type { Passed } from './pipeline.ts'

/** What a verification came to: the event and which secret signed it, or why it must not be acted on. */
export type WebhookResult = ({ ok: true } & Passed) | { ok: false; error: WebhookVerificationError }

/** A refused delivery is a result; anything else is a mistake in the program and stays an exception. */
export function refused(error: unknown): { ok: false; error: WebhookVerificationError } {
  if (error instanceof WebhookVerificationError) return { ok: false, error }
  throw error
}
