import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Config } from '../../platform/config.ts'
import { createRangeCheck, findWideNetwork } from '../../platform/network.ts'
import { readTraceparent, type TraceParent } from '../../platform/tracing.ts'

/** What proxies say of a request. Of one that is not trusted: nothing. */
interface Forwarded {
  /** The proxy's own id of the request. */
  requestId: string | undefined
  /** The trace that the request is a part of. */
  parent: TraceParent | undefined
  /** The client's address, as far as the log is to have it. */
  clientAddress: string | undefined
}

export type ReadForwarded = (req: IncomingMessage) => Forwarded

// What a proxy makes up is short, and has no blank in it.
const requestIdPattern = /^[\x21-\x7e]{1,128}$/

/**
 * The headers are looked for in `rawHeaders`: Node makes `headers` when it is first asked for, and the fast path asks
 * for none.
 */
export function createForwardedReader({
  TRUSTED_PROXIES: ranges,
  LOG_CLIENT_ADDRESS: addresses,
}: Pick<Config, 'TRUSTED_PROXIES' | 'LOG_CLIENT_ADDRESS'>): ReadForwarded {
  const isInRanges = createRangeCheck(ranges)
  const trusted = new WeakMap<Socket, boolean>()
  const isTrusted = (socket: Socket): boolean => {
    const known = trusted.get(socket)
    if (known !== undefined) return known
    const isProxy = isInRanges(socket.remoteAddress ?? '')
    trusted.set(socket, isProxy)
    return isProxy
  }
  return (req) => {
    const told: Forwarded = { requestId: undefined, parent: undefined, clientAddress: undefined }
    const { rawHeaders, socket } = req
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]!
      // By its length first: two of all headers have these.
      if (name.length !== 12 && name.length !== 11) continue
      const value = rawHeaders[index + 1]!
      switch (name.toLowerCase()) {
        case 'x-request-id':
          if (isTrusted(socket) && requestIdPattern.test(value)) told.requestId = value
          break
        case 'traceparent':
          if (isTrusted(socket)) told.parent = readTraceparent(value) ?? undefined
          break
      }
    }
    if (addresses !== 'off') {
      const address = readClientAddress(req, isInRanges)
      told.clientAddress = addresses === 'full' ? address : findWideNetwork(address)
    }
    return told
  }
}

/** The first address, from ours outwards, that is no trusted proxy: as Express's `req.ip`, which the fast path has not. */
function readClientAddress(
  { rawHeaders, socket }: IncomingMessage,
  isProxy: (address: string) => boolean,
): string {
  const hops: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== 'x-forwarded-for') continue
    hops.push(...rawHeaders[index + 1]!.split(',').map((hop) => hop.trim()))
  }
  let address = socket.remoteAddress ?? ''
  while (hops.length > 0 && isProxy(address)) address = hops.pop() ?? ''
  // What a proxy writes in place of an address is nobody's.
  return isIP(address) === 0 ? 'unknown' : address
}
