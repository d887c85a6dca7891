/** What is looked up by an id. */
export type Thing =
  | 'account'
  | 'key'
  | 'member'
  | 'invitation'
  | 'subscription'
  | 'webhook'
  | 'delivery'
  | 'change'
  | 'hold'
  | 'report'

/** Why a feature refuses an action, with the facts that the entrances word their answers with. */
export type Refusal =
  | { code: 'not_found'; what: Thing }
  | { code: 'invalid_input' | 'not_in_plan' | 'conflict' | 'owner_only' | 'last_owner' }
  | { code: 'key_not_active' | 'too_many_webhooks_off' | 'too_many_accounts' }
  | { code: 'invalid_period'; what: 'subscription' | 'pack' }
  | { code: 'key_limit_reached' | 'webhook_limit_reached'; max: number }
  | { code: 'too_often'; retrySeconds: number }

/**
 * A feature refuses an action. The message states the fact in a sentence. What to do about it differs between a
 * program with a key, a person on the dashboard and an operator at a keyboard, so each entrance adds that in its own
 * words: `http/pipeline/refusals.ts`, `http/dashboard/refusals.ts`, `commands/refusals.ts`.
 */
export class FeatureError extends Error {
  override name = 'FeatureError'
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal, options?: ErrorOptions) {
    super(message, options)
    this.refusal = refusal
  }
}

export function notFound(what: Thing, id: string): FeatureError {
  return new FeatureError(`There is no ${what} "${id}".`, { code: 'not_found', what })
}

export function tooOften(message: string, retrySeconds: number): FeatureError {
  return new FeatureError(message, { code: 'too_often', retrySeconds })
}
