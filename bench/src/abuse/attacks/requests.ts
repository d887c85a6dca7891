import { Agent } from 'node:http'
import { generateApiKey } from '../../../../apps/server/src/features/accounts/api-key.ts'
import { answers, dashboardHeaders, flood, send, type Attack, type Flood } from '../attack.ts'
import { largeFile } from './connections.ts'

// Requests that are in order, too many of them. A machine of two cores serves some 700 requests a second that take all
// steps; beyond that, the system decides which request comes first. So requests that are cheap to answer or to refuse come
// 200 times a second, and those that a server may find costly 20 times.

const cheapPerSecond = 200
const costlyPerSecond = 20
/** Of a gigabit a second, which is what a rented machine has: 60 of the largest file. */
const filesPerSecond = 60

interface Way extends Flood {
  name: string
  means: string
  /** Where there are answers, at least one of these has to be among them. */
  statuses: number[]
}

function requests({ name, means, statuses, ...way }: Way): Attack {
  return {
    name,
    means: `${way.perSecond} requests a second over ${way.connections} connections, ${means}`,
    run: (target) => flood(target, way),
    // A server that answers nothing at all has been reached.
    landed: (tally) =>
      tally.opened > 0 && (answers(tally, ...statuses) + tally.cut > 0 || answers(tally) === 0),
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const unknownKeys = Array.from({ length: 500 }, generateApiKey)
/** Every one another query, and all with the most rows. */
const distinctSince = (number: number) =>
  `since=2024-01-01T00:00:00.${String(number % 1_000_000).padStart(6, '0')}Z&limit=500`
const costlyQueries = (number: number) => {
  const lists = [
    'prices?',
    'changes?min_severity=2&',
    'prices?modality=llm&',
    'changes?include_incidents=true&',
  ]
  return `/v1/${lists[number % lists.length]}${distinctSince(number)}`
}
const publicPaths = (number: number) => {
  const paths = ['/plans', '/docs/', '/', '/openapi.json', '/dashboard', '/docs/start.js']
  return paths[(number % (paths.length + 1)) - 1] ?? `/changes/chg_${number}`
}
/** What an account on the free plan asks for with the cookie of its owner. */
const onDashboard = (name: string, means: string, path: string) =>
  requests({
    ...{ name: `dashboard: ${name}`, means, connections: 20, perSecond: costlyPerSecond },
    statuses: [200, 429, 503],
    requestOf: (_number, { cast }) => ({ path, headers: { cookie: cast.cookie } }),
  })

// As large as a body and a head may be: the limits are 64 KiB and 16 KiB.
const nested = `{"email":${'['.repeat(32_700)}${']'.repeat(32_700)}}`
const manyKeys = JSON.stringify(Object.fromEntries(Array.from({ length: 6_400 }, (_, key) => [key, 1])))
const manyCookies = Array.from({ length: 1_250 }, (_, cookie) => `c${cookie}=${cookie % 10}000`)
  .join('; ')
  .slice(0, 15_500)

export const requestAttacks: readonly Attack[] = [
  requests({
    name: 'invalid keys',
    means: 'half malformed, half well formed and unknown',
    connections: 20,
    perSecond: cheapPerSecond,
    statuses: [401],
    requestOf: (number) => ({
      path: '/v1/prices?limit=100',
      headers: bearer(
        number % 2 === 0 ? `rc_live_${number}` : (unknownKeys[number % unknownKeys.length] ?? ''),
      ),
    }),
  }),
  requests({
    name: 'exhausted key',
    means: 'each for another page of 500 prices, by a free key whose day is used up',
    connections: 10,
    perSecond: cheapPerSecond,
    statuses: [429],
    requestOf: (number, { cast }) => ({
      path: `/v1/prices?${distinctSince(number)}`,
      headers: bearer(cast.freeKey),
    }),
  }),
  requests({
    name: 'expensive queries',
    means: 'each for another page of 500 prices or changes, by a paid key',
    connections: 10,
    perSecond: costlyPerSecond,
    statuses: [200],
    requestOf: (number, { cast }) => ({
      path: costlyQueries(number),
      headers: { ...bearer(cast.paidKey), 'accept-encoding': 'gzip' },
    }),
  }),
  onDashboard('list of keys', 'by a free account with 1,500 revoked keys', '/dashboard/api/keys'),
  onDashboard('watch list', 'by a free account that watches 200 models', '/dashboard/api/watches'),
  requests({
    name: 'dashboard: writes',
    means: 'each renames the one key of a free account',
    connections: 250,
    perSecond: cheapPerSecond,
    statuses: [200, 429, 503],
    requestOf: (number, { cast }) => ({
      method: 'PATCH',
      path: `/dashboard/api/keys/${cast.freeKeyId}`,
      headers: { ...dashboardHeaders, cookie: cast.cookie },
      body: JSON.stringify({ name: `Key ${number}` }),
    }),
  }),
  requests({
    name: 'sign-ins',
    means: 'with wrong passwords, each of another e-mail from another address',
    connections: 20,
    perSecond: costlyPerSecond,
    statuses: [401, 429, 503],
    requestOf: (number) => ({
      method: 'POST',
      path: '/dashboard/api/sign-in',
      // The proxy on loopback says so: as many machines as a botnet has.
      headers: {
        ...dashboardHeaders,
        'x-forwarded-for': `198.51.${Math.floor(number / 250) % 250}.${number % 250}`,
      },
      body: JSON.stringify({ email: `somebody${number}@attacker.example`, password: 'a wrong password' }),
    }),
  }),
  requests({
    name: 'sign-ins: hostile bodies',
    means: 'without any credential: 64 KB of brackets in each other, or 6,400 keys',
    connections: 10,
    perSecond: cheapPerSecond,
    statuses: [400, 413, 429, 503],
    requestOf: (number) => ({
      method: 'POST',
      path: '/dashboard/api/sign-in',
      headers: dashboardHeaders,
      body: number % 2 === 0 ? nested : manyKeys,
    }),
  }),
  requests({
    name: 'dashboard: hostile cookies',
    means: 'without any credential: 15 KB of cookies',
    connections: 10,
    perSecond: cheapPerSecond,
    statuses: [400, 401, 429, 431, 503],
    requestOf: () => ({ path: '/dashboard/api/me', headers: { ...dashboardHeaders, cookie: manyCookies } }),
  }),
  requests({
    name: 'public pages',
    means: 'no key',
    connections: 20,
    perSecond: cheapPerSecond,
    // Of pages that are not kept an address has four in the making.
    statuses: [200, 404, 503],
    requestOf: (number) => ({ path: publicPaths(number), headers: { 'accept-encoding': 'gzip' } }),
  }),
  requests({
    name: 'huge files',
    means: 'for the largest file (1.6 MB, so 95 MB a second), no key',
    connections: 50,
    perSecond: filesPerSecond,
    // An address gets six whole copies a minute.
    statuses: [200, 503],
    requestOf: () => ({ path: largeFile }),
  }),
]

const exportPath = '/exports/litellm.json'

/** Programs that ask whether their file is still the newest. */
export const exportPolls: Attack = {
  name: 'polls of an export',
  means: '1,000 requests a second over 200 connections of 20 addresses, each with If-None-Match; no key',
  landed: (tally) => answers(tally, 304) > 0,
  run: async (target) => {
    const file = await fetch(`http://127.0.0.1:${target.port}${exportPath}`)
    await file.arrayBuffer()
    const headers = { 'if-none-match': file.headers.get('etag') ?? '' }
    const requestOf = (number: number) => ({ path: exportPath, headers, from: number % 20 })
    await flood(target, { connections: 200, perSecond: 1_000, requestOf })
  },
}

// Crawlers: each connection asks for the next page as soon as it has the one before, for all pages that the map of the
// site names.

const connections = 50
const headers = { 'accept-encoding': 'gzip' }

export const crawls: readonly Attack[] = [
  crawl('crawl of model pages', (path) => path),
  crawl('crawl of pictures', (path) => `/pictures${path}.png`),
]

function crawl(name: string, addressOf: (modelPath: string) => string): Attack {
  return {
    name,
    means: `${connections} connections of one address, each without a pause, for all of them; no key`,
    landed: (tally) => answers(tally, 200) > 0,
    run: async (target) => {
      const paths = await modelPaths(`http://127.0.0.1:${target.port}`)
      if (paths.length === 0) throw new Error('The map of the site names no model.')
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      let next = 0
      const walk = async () => {
        while (!target.signal.aborted)
          await send(target, { path: addressOf(paths[next++ % paths.length]!), headers }, agent)
      }
      await Promise.all(Array.from({ length: connections }, walk))
      agent.destroy()
    },
  }
}

/** As a crawler finds them: in the map of the site, and in its parts. */
async function modelPaths(origin: string, map = '/sitemap.xml'): Promise<string[]> {
  const text = await (await fetch(origin + map)).text()
  const found = text.matchAll(/<loc>[^<]*?(\/(?:models\/|sitemap-)[^<]*)<\/loc>/g)
  const paths = [...found].map(([, path = '']) => path.replaceAll('&amp;', '&'))
  const all = paths.map(async (path) => (path.startsWith('/sitemap-') ? modelPaths(origin, path) : [path]))
  return (await Promise.all(all)).flat()
}
