import { z } from 'zod'
import { perOneToPerMillion } from '../../../catalog/decimal.ts'
import { UserError } from '../../../platform/user-error.ts'
import { findSeller, identify, lookUp } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'
import { parseJsonFile } from '../reading/parse-json.ts'
import { complaints } from '../reading/reading.ts'
import { readAmount, readLines, tokenRate, type LineReading, type meters } from './lines.ts'

const Answer = z.looseObject({ skus: z.array(z.unknown()), nextPageToken: z.string().nullish() })

const Sku = z.looseObject({
  skuId: z.string(),
  description: z.string(),
  serviceRegions: z.array(z.string()),
  pricingInfo: z.tuple([
    z.looseObject({
      effectiveTime: z.iso.datetime(),
      currencyConversionRate: z.literal(1).optional(),
      pricingExpression: z.looseObject({
        usageUnit: z.string(),
        tieredRates: z.tuple([
          z.looseObject({
            startUsageAmount: z.literal(0),
            unitPrice: z.object({
              currencyCode: z.string(),
              units: z.string().regex(/^\d{1,9}$/),
              nanos: z.int().min(0).max(999_999_999),
            }),
          }),
        ]),
      }),
    }),
  ]),
})

/**
 * SKUs of Vertex AI in Google's Cloud Billing Catalog, written by its documentation and never tried on an answer of the
 * service. A description is matched as a whole: that of a model begins those of its smaller ones.
 * https://cloud.google.com/billing/docs/reference/rest/v1/services.skus
 */
export function readGoogleBillingCatalog(text: string, now: Date): SourceReading {
  const answer = Answer.safeParse(parseJsonFile(text))
  if (!answer.success)
    throw new UserError(`This is not an answer of the Cloud Billing Catalog: ${complaints(answer.error)}.`)
  if (answer.data.nextPageToken)
    throw new UserError(
      'This is one page of the Cloud Billing Catalog: ask for all SKUs at once, with pageSize=5000.',
    )
  const entries = answer.data.skus.map((sku, index): [string, LineReading] => [
    Sku.safeParse(sku).data?.skuId ?? `#${index}`,
    readSku(sku),
  ])
  return readLines(entries, {
    ...{ now, version: null, publishedOn: null, what: 'the Cloud Billing Catalog of Vertex AI' },
    url: 'https://cloud.google.com/vertex-ai/generative-ai/pricing',
  })
}

const vertex = findSeller('vertex_ai')

function readSku(source: unknown): LineReading {
  const parsed = Sku.safeParse(source)
  if (!parsed.success) return { reason: `cannot be read: ${complaints(parsed.error)}` }
  const { skuId, description, serviceRegions, pricingInfo } = parsed.data
  const named = lookUp(descriptions, description)
  if (named === undefined) return { reason: `has a description that is not in the table: ${description}` }
  const [{ effectiveTime, pricingExpression: expression }] = pricingInfo
  if (expression.usageUnit !== 'count') return { reason: `is per ${expression.usageUnit}, and not per token` }
  const [{ unitPrice }] = expression.tieredRates
  if (unitPrice.currencyCode !== 'USD') return { reason: `is in ${unitPrice.currencyCode}` }
  const reading = readAmount(
    `${unitPrice.units}.${String(unitPrice.nanos).padStart(9, '0')}`,
    perOneToPerMillion,
  )
  if ('reason' in reading) return reading
  const [id, side] = named
  return {
    ...{ sku: skuId, identity: identify(vertex, id), isWitness: true, quote: null },
    ...{ place: `${skuId} ${serviceRegions.join()}`, startsOn: effectiveTime.slice(0, 10) },
    rate: tokenRate(side, reading.amount, { service_tier: null, variant: null }),
  }
}

/** Standard requests of text, in the words of Google's groups of SKUs: https://cloud.google.com/skus/sku-groups */
const descriptions: Readonly<Record<string, readonly [id: string, side: keyof typeof meters]>> = {
  'Gemini 2.5 Flash GA Text Input - Predictions': ['gemini-2.5-flash', 'input'],
  'Gemini 2.5 Flash GA Text Output - Predictions': ['gemini-2.5-flash', 'output'],
  'Gemini 2.5 Pro Text Input - Predictions': ['gemini-2.5-pro', 'input'],
  'Gemini 2.5 Pro Text Output - Predictions': ['gemini-2.5-pro', 'output'],
  'Gemini 3 Flash Text Input - Predictions': ['gemini-3-flash-preview', 'input'],
  'Gemini 3 Flash Text Output - Predictions': ['gemini-3-flash-preview', 'output'],
}
