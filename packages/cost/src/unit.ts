import type { CatalogRate } from './types.ts'

/** The unit of a meter that a card does not have. */
export function findUnit(meter: string): string {
  if (meter.endsWith('_tokens')) return '1m_tokens'
  if (meter.endsWith('_characters')) return '1m_characters'
  return 'one'
}

/** A rate as a vendor's page states it, under no other condition. */
export function rate(
  meter: string,
  amount: string,
  variant: string | null = null,
  threshold: number | null = null,
): CatalogRate {
  return { meter, unit: findUnit(meter), amount, service_tier: null, variant, threshold, hours: null }
}

/** An entry of a card that is no price: what this meter costs is not published, or the answer does not say all that it takes. */
export function doubt(meter: string): CatalogRate {
  return rate(doubtMeter, '1', meter)
}

export const doubtMeter = 'vendor_rule'
