import { z } from 'zod'
import type { Rate } from '../../../catalog/rate-card.ts'
import { DatedPrices, inForce, Prices } from './genai-prices-periods.ts'

/**
 * Prices of one kind of request, in place of the standard ones (0.1.12 and later): by the tier of service, by
 * Anthropic's fast mode, or by where the request is worked on. A price that it does not state is the standard one.
 */
const PriceVariant = z.object({
  when: z
    .strictObject({
      service_tier: z.string().min(1).optional(),
      speed: z.string().min(1).optional(),
      inference_geo: z.string().min(1).optional(),
    })
    .refine((when) => Object.keys(when).length > 0),
  prices: z.union([Prices, z.array(DatedPrices).min(1)]),
})

/**
 * The rates of a model's variants on a day. A variant that cannot be read is left out, and reported as a field that is
 * not known.
 */
export function readVariants(
  stated: readonly unknown[],
  day: string,
  readRates: (prices: Prices) => readonly Rate[],
): Rate[] {
  return stated.flatMap((one) => {
    const { data } = PriceVariant.safeParse(one)
    if (data === undefined) return []
    const { service_tier, speed, inference_geo } = data.when
    return readRates(inForce(data.prices, day).prices).map((rate) => ({
      ...rate,
      service_tier: join(service_tier, speed),
      variant: join(rate.variant, inference_geo),
    }))
  })
}

function join(...kinds: (string | null | undefined)[]): string | null {
  return kinds.filter((kind) => kind != null).join('/') || null
}
