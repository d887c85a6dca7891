import { z } from 'zod'
import { RateLimiter } from '../../../platform/rate-limiter.ts'
import { perMinute } from '../../limits/index.ts'
import { namesEtag } from '../../pipeline/etag.ts'
import { fileForms } from '../../files/price-files.ts'
import { ApiError } from '../../pipeline/errors.ts'
import { DashboardError, tooOften } from '../errors.ts'
import { forMembers } from '../operation.ts'
import { PriceFileFormat } from '../schemas/prices.ts'

const rate = new RateLimiter({ perMinute: perMinute.priceFiles })

export const getPriceFile = forMembers.read(
  'GET /price-file',
  { query: z.strictObject({ format: PriceFileFormat.default('json') }), 200: 'file', 304: true },
  async ({ header, member, query }, { files }) => {
    const { format } = query
    const etag = await files.etag(format)
    if (namesEtag(header('if-none-match'), etag)) return { status: 304, headers: cacheHeaders(etag) }
    const seconds = rate.take(member.account.id)
    if (seconds > 0) throw tooOften(seconds, 'The account had files with all prices often enough.')
    const found = await files.find(format).catch((error: unknown) => {
      // It says when to come back.
      if (!(error instanceof ApiError)) throw error
      throw new DashboardError('service_unavailable', { message: error.message, cause: error.cause })
    })
    const { name, type } = fileForms[format]
    return {
      status: 200,
      kept: { file: found.file, name, type },
      headers: cacheHeaders(found.etag),
    }
  },
)

function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' }
}
