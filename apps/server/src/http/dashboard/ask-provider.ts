import { ProviderFailure, type PaymentProvider } from '../../features/billing/provider.ts'
import { ApiError } from '../pipeline/errors.ts'
import { DashboardError } from './errors.ts'
import type { Billing } from './operation.ts'

/** @throws DashboardError billing_unavailable where no payment provider is configured */
export function requireProvider({ provider, contact }: Billing): PaymentProvider {
  if (provider) return provider
  const whom = contact === null ? 'the operator of this server' : contact
  throw new DashboardError('billing_unavailable', {
    message: `Nothing can be bought here. Write to ${whom}.`,
  })
}

/** @throws ApiError service_unavailable when the provider fails; the log says how */
export async function askProvider<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new ApiError('service_unavailable', { cause: error })
  }
}
