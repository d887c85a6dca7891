import type { Fetch, FetchedAnswer } from './from-url.ts'

// Node 24's `fetch` is undici 7. Its assertion ends the process when a server closes the connection with the last bytes of
// a compressed body that is still being unpacked, and nobody can catch that. There Node's older client asks instead.

interface Surroundings {
  readonly fetch: Fetch
  readonly process?: Pick<NodeJS.Process, 'versions' | 'getBuiltinModule'>
  readonly [dispatcherKey]?: object
}

/** Where all versions of undici have what `fetch` sends by. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1')
const surroundings = globalThis as unknown as Surroundings
const own = surroundings.fetch

/** The global `fetch`, but for that of Node that ends processes. One that somebody has replaced or directed is left. */
export function findFetch(): Fetch {
  const { fetch, process, [dispatcherKey]: dispatcher } = surroundings
  const isUndici7 = process?.versions.bun === undefined && /^7\./.test(process?.versions['undici'] ?? '')
  const isDirected = dispatcher !== undefined && dispatcher.constructor.name !== 'Agent'
  const builtin = process?.getBuiltinModule
  return isUndici7 && fetch === own && !isDirected && builtin !== undefined ? fetchBy(builtin) : fetch
}

function fetchBy(builtin: NodeJS.Process['getBuiltinModule']): Fetch {
  const [http, https] = [builtin('node:http'), builtin('node:https')]
  const [{ Readable, pipeline }, { createGunzip }] = [builtin('node:stream'), builtin('node:zlib')]
  return (url, { headers, signal }) =>
    new Promise<FetchedAnswer>((resolve, reject) => {
      const { get } = url.startsWith('https:') ? https : http
      const asked = { 'user-agent': 'node', 'accept-encoding': 'gzip', ...headers }
      get(url, { headers: asked, signal }, (answer) => {
        const isPacked = answer.headers['content-encoding'] === 'gzip'
        // What fails is told by the stream that is read.
        const body = isPacked ? pipeline(answer, createGunzip(), () => {}) : answer
        resolve({
          status: answer.statusCode ?? 0,
          headers: { get: (name) => answer.headers[name]?.toString() ?? null },
          body: Readable.toWeb(body),
          text: () => Promise.reject(new Error('The body is read as a stream.')),
        })
      }).on('error', reject)
    })
}
