import type { IncomingMessage } from 'node:http'
import { isWellFormedKey, keyLength } from '@ratecard/contract/api-key'
import { preferredCoding, type Coding } from '../pipeline/codings.ts'
import { isHost } from '../pipeline/request-host.ts'

/** What decides the answer to a request beside its target. */
export interface RequestHead {
  key: string | undefined
  coding: Coding
}

type Role = 'authorization' | 'host' | 'accept-encoding' | 'unusual'

const scheme = 'Bearer '

/** Reads the usual heads of requests. Unusual ones are not read here. */
export class HeadReader {
  readonly #roles = new Map<string, Role>()

  /** @param unusual further headers that make a request unusual */
  constructor(unusual: readonly string[]) {
    const roles: [string, Role][] = [
      ['Authorization', 'authorization'],
      ['Host', 'host'],
      ['Accept-Encoding', 'accept-encoding'],
      ...['Content-Length', 'Transfer-Encoding', 'Expect', 'Upgrade', ...unusual].map(
        (name): [string, Role] => [name, 'unusual'],
      ),
    ]
    for (const [name, role] of roles) this.#roles.set(name, role).set(name.toLowerCase(), role)
  }

  /** Null: the app handles the request, and says what is wrong, if anything is. */
  read({ httpVersionMinor, httpVersionMajor, rawHeaders }: IncomingMessage): RequestHead | null {
    if (httpVersionMajor !== 1 || httpVersionMinor !== 1) return null
    let authorization: string | undefined
    let host: string | undefined
    let acceptEncoding: string | undefined
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]!
      const value = rawHeaders[index + 1]!
      switch (this.#roles.get(name) ?? this.#roles.get(name.toLowerCase())) {
        case undefined:
          break
        case 'authorization':
          if (authorization !== undefined) return null
          authorization = value
          break
        case 'host':
          if (host !== undefined) return null
          host = value
          break
        case 'accept-encoding':
          if (acceptEncoding !== undefined) return null
          acceptEncoding = value
          break
        case 'unusual':
          return null
      }
    }
    if (host === undefined || !isHost(host)) return null
    const coding = preferredCoding(acceptEncoding)
    if (authorization === undefined) return coding && { key: undefined, coding }
    if (authorization.length !== scheme.length + keyLength || !authorization.startsWith(scheme)) return null
    const key = authorization.slice(scheme.length)
    if (!isWellFormedKey(key)) return null
    return coding && { key, coding }
  }
}
