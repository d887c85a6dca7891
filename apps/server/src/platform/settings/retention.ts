import { matching, variable } from './variable.ts'

// For how long what grows is kept. Money and the history of prices are kept for good: docs/decisions/032-growth.md.

const days = (least: number, fallback: string, description: string) =>
  variable({
    schema: matching(/^[1-9]\d{0,4}$/)
      .transform(Number)
      .refine((value) => value >= least),
    wants: `a whole number of days from ${least}`,
    default: fallback,
    description,
  })

export const retentionVariables = {
  DELIVERY_RETENTION_DAYS: days(
    1,
    '30',
    'Days after which finished deliveries and their attempts are forgotten.',
  ),
  USAGE_RETENTION_DAYS: days(
    40,
    '400',
    'Days for which counts of requests are kept by key and day, and keys after they ended. What packs paid is kept for good.',
  ),
  REQUEST_RETENTION_DAYS: days(
    1,
    '7',
    'Days for which the request log of accounts is kept: single requests, and counts by hour.',
  ),
  FEED_RUN_RETENTION_DAYS: days(
    30,
    '400',
    'Days after which runs of sources that found nothing new are forgotten.',
  ),
} as const
