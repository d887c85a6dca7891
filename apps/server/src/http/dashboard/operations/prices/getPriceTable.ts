import { readVersion } from '../../../../platform/version.ts'
import { codingFor } from '../../../pipeline/codings.ts'
import { tooOften } from '../../errors.ts'
import type { Operation } from '../../operation.ts'

export const getPriceTable: Operation<'getPriceTable'> = async ({ header, member }, { db, priceTable }) => {
  const version = await priceTable.readVersion(db)
  const etag = etagOf(version)
  if (names(header('if-none-match') ?? '', etag)) return { status: 304, headers: cacheHeaders(etag) }

  const seconds = priceTable.rate.take(member.account.id)
  if (seconds > 0) throw tooOften(seconds, 'The account had the whole table often enough.')
  const table = await priceTable.read(db, version)
  const coding = table.codingFor(codingFor(header('accept-encoding')))
  return {
    status: 200,
    json: await priceTable.encode(table, coding),
    headers: {
      ...cacheHeaders(etagOf(table.version)),
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    },
  }
}

/** A newer server may serve more of the same records. */
function etagOf(version: string): string {
  return `"${version}-${readVersion()}"`
}

function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' }
}

/** Whether an `If-None-Match` names the tag. A proxy that compresses marks tags as weak. */
function names(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
