import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import type { AddressGuard } from '@ratecard/contract/addresses'

/** All addresses that may be dialled for a name are refused, or the name is an address that is. */
export class BlockedAddressError extends Error {
  override name = 'BlockedAddressError'
  constructor() {
    super('The address is private or reserved.')
  }
}

/** Every address of a name, as the system knows them. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export interface GuardedAgentOptions {
  isAllowedAddress: AddressGuard
  /** For TCP and TLS together. */
  connectTimeoutMs: number
  /** Connections to one host at most. */
  connectionsMax: number
  /** Certificate authorities in PEM, besides the usual ones. */
  extraCa?: string | undefined
  resolve?: Resolve
}

const keepAliveMs = 10_000

/**
 * Connections that only ever lead to vetted addresses. Vetting happens where the socket is opened, on the
 * addresses it is opened to: what a name resolved to before does not matter.
 */
export function createGuardedAgent({
  isAllowedAddress,
  resolve = resolveBySystem,
  ...options
}: GuardedAgentOptions): Agent {
  const dial = buildConnector({
    timeout: options.connectTimeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    // Once for all: reading them for each connection was the largest cost of ours in a profile, after the sockets.
    ...(options.extraCa !== undefined && {
      secureContext: createSecureContext({ ca: [...rootCertificates, options.extraCa] }),
    }),
    // Called for names only; a socket to an IP literal is opened without asking.
    lookup: (hostname, lookupOptions, callback) => {
      resolve(hostname).then(
        (addresses) => {
          const vetted = addresses.filter(({ address }) => isAllowedAddress(address))
          const [first] = vetted
          if (!first) callback(new BlockedAddressError(), '', 0)
          else if (lookupOptions.all) callback(null, vetted)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    },
  })
  return new Agent({
    connections: options.connectionsMax,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: (connectOptions, callback) => {
      const host = connectOptions.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isAllowedAddress(host)) callback(new BlockedAddressError(), null)
      else dial(connectOptions, callback)
    },
  })
}

const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
