import type { Db } from '../../database/connect.ts'
import { AccountStopped, findElsewhere } from '../../features/accounts/elsewhere.ts'
import type { CellHost } from '../../platform/config.ts'
import { ApiError } from './errors.ts'

/** The answer to a key that lets nobody in here. */
export type RefuseKey = (keyHash: Buffer) => Promise<ApiError>

/**
 * A key whose account has moved is told where to, in words for people and in headers for proxies (docs/proxies). Whoever
 * asks with it has the whole key, so a stranger learns nothing.
 */
export function keyRefuser(db: Db, cellHosts: readonly CellHost[]): RefuseKey {
  return async (keyHash) => {
    const found = await findElsewhere(db, keyHash)
    if (found.kind === 'nowhere') return new ApiError('unauthorized')
    if (found.kind === 'on its way')
      return new ApiError('service_unavailable', { cause: new AccountStopped() })
    return new ApiError('unauthorized', {
      message: `The account of this key is served at another address now: ${describeAddress(found.cell, cellHosts)}. Send the request there; the key stays the same.`,
      headers: { 'Ratecard-Cell': found.cell, 'X-Accel-Redirect': '@ratecard_elsewhere' },
    })
  }
}

/** Where the people and programs of a cell are served, as far as CELL_HOSTS says so. */
export function describeAddress(cell: string, cellHosts: readonly CellHost[]): string {
  return cellHosts.find(({ mark }) => mark === cell)?.url ?? `that of the cell "${cell}"`
}
