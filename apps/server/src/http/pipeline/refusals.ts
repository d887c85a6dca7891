import type { Db, Trx } from '../../database/connect.ts'
import { FeatureError } from '../../features/feature-error.ts'
import { ApiError } from './errors.ts'

/** What a feature refuses, in the terms of the public interface. */
export function refusalAnswer(error: FeatureError): ApiError {
  const { message, refusal } = error
  switch (refusal.code) {
    case 'not_found':
      // The same answer for what another account has and for what never existed.
      return new ApiError('not_found', {
        message: 'You have no webhook with this id. GET /v1/webhooks lists those you have.',
      })
    case 'invalid_input':
      return new ApiError('invalid_request', { message })
    case 'webhook_limit_reached':
      return new ApiError('webhook_limit_reached')
    case 'too_many_webhooks_off':
      return new ApiError('webhook_limit_reached', { message })
    default:
      return new ApiError('internal_error', { cause: error })
  }
}

/**
 * Runs a write in the transaction of its unit. A refusal costs the unit too, because the work of looking was done: it is
 * thrown when the transaction has been committed.
 */
export async function meteredWrite<T>(
  db: Db,
  reserveIn: (trx: Trx) => Promise<void>,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const outcome = await db.transaction().execute(async (trx) => {
    await reserveIn(trx)
    return work(trx).catch((error: unknown) => {
      if (error instanceof FeatureError) return error
      throw error
    })
  })
  if (outcome instanceof FeatureError) throw outcome
  return outcome
}
