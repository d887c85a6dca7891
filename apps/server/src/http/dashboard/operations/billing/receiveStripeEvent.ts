import { BadSignature, WrongMode } from '../../../../features/billing/provider.ts'
import { receivePaymentEvent } from '../../../../features/billing/receive-event.ts'
import { askProvider } from '../../ask-provider.ts'
import { DashboardError, notFound } from '../../errors.ts'
import type { Operation } from '../../operation.ts'

/** What is refused or fails is delivered again by Stripe, for three days. */
export const receiveStripeEvent: Operation<'receiveStripeEvent'> = async (
  { rawBody, header },
  { db, billing: { provider }, logger },
) => {
  if (provider === null) throw notFound('payment provider')
  try {
    const event = provider.readEvent(rawBody, header('stripe-signature') ?? '')
    await askProvider(receivePaymentEvent(db, provider, event))
  } catch (error) {
    if (error instanceof WrongMode) logger.warn({ err: error }, 'an event of Stripe was refused')
    else if (!(error instanceof BadSignature)) throw error
    throw new DashboardError('invalid_request', { message: error.message, cause: error })
  }
  return { status: 200, body: { success: true } }
}
