import { markForm } from './names.ts'

// How a proxy finds the cell of a key, as text for its configuration. The file is included by those in docs/proxies.

/** A server of ours as a proxy reaches it: host and port, and where its admin port is not 9090 that one after a slash. */
type Address = string

export interface Cell {
  mark: string
  addresses: readonly Address[]
}

export const routeFormats = ['nginx', 'haproxy'] as const
export type RouteFormat = (typeof routeFormats)[number]

export const cellsMax = 1_000
const addressesMax = 100
const addressForm =
  /^((?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):([1-9]\d{0,4}))(?:\/([1-9]\d{0,4}))?$/i
const adminPort = '9090'

/** What is wrong with the cells, each in a sentence. */
export function findProblems(cells: readonly Cell[]): string[] {
  const seen = new Set<string>()
  const problems = cells.flatMap(({ mark, addresses }) => {
    const own: string[] = []
    if (!markForm.test(mark)) own.push(`"${mark}" is no mark: give two characters of 0-9, A-Z and a-z.`)
    else if (seen.has(mark)) own.push(`The mark "${mark}" is there twice.`)
    seen.add(mark)
    if (addresses.length === 0 || addresses.length > addressesMax)
      own.push(`The cell "${mark}" needs 1 to ${addressesMax} addresses.`)
    for (const address of addresses)
      if (!isAddress(address)) own.push(`"${address}" is no address such as 10.0.0.7:8080 or cell-a1:8080.`)
    return own
  })
  if (cells.length === 0) problems.push('There is no cell.')
  if (cells.length > cellsMax)
    problems.push(`There are ${cells.length} cells, and at most ${cellsMax} may be.`)
  return problems
}

function isAddress(text: string): boolean {
  const [, , port, admin = adminPort] = addressForm.exec(text) ?? []
  return port !== undefined && Math.max(Number(port), Number(admin)) <= 65_535
}

function toServer(address: Address): { server: string; admin: string } {
  const [, server = '', , admin = adminPort] = addressForm.exec(address) ?? []
  return { server, admin }
}

/** @param cells without problems */
export function routesText(format: RouteFormat, cells: readonly Cell[]): string {
  return format === 'nginx' ? nginxText(cells) : haproxyText(cells)
}

// The name of an upstream is a host to nginx, in lower case: a capital is written as two characters there.
const nameUpstream = (mark: string) =>
  `ratecard_cell_${mark.replace(/[A-Z]/g, (capital) => `${capital.toLowerCase()}_`)}`

/** A map matches names in any case, and patterns as they are written: the marks a1 and A1 are two cells. */
function nginxText(cells: readonly Cell[]): string {
  const upstreams = cells.map(
    ({ mark, addresses }) => `upstream ${nameUpstream(mark)} {
${addresses.map((address) => `  server ${toServer(address).server} max_fails=1 fail_timeout=1s;`).join('\n')}
  keepalive 64;
  keepalive_timeout 60s;
}
`,
  )
  return `# The cells of Ratecard, for the http block of docs/proxies/nginx.conf. Made by "ratecard cells routes".
map $http_authorization $ratecard_mark {
  default "";
  "~^[Bb][Ee][Aa][Rr][Ee][Rr] +rc_live_(?<ratecard_key_mark>[0-9A-Za-z][0-9A-Za-z])" $ratecard_key_mark;
}
map $ratecard_mark $ratecard_cell {
  default "";
${cells.map(({ mark }) => `  "~^${mark}$" ${nameUpstream(mark)};`).join('\n')}
}
# Where the account of a key has moved to, as the cell that it left has answered.
map $ratecard_moved_to $ratecard_next {
  volatile;
  default ratecard;
${cells.map(({ mark }) => `  "~^${mark}$" ${nameUpstream(mark)};`).join('\n')}
}
${upstreams.join('')}`
}

/** Names of backends have capitals, and one that is not there is the default. */
function haproxyText(cells: readonly Cell[]): string {
  const backends = cells.map(
    ({ mark, addresses }) => `
backend ratecard_cell_${mark}
  balance leastconn
  option httpchk GET /ready
  http-check expect status 200
${unavailable.join('\n')}
${addresses
  .map(toServer)
  .map(
    ({ server, admin }, index) =>
      `  server ratecard-${mark}-${index + 1} ${server} check port ${admin} inter 1s fall 2 rise 1`,
  )
  .join('\n')}
`,
  )
  return `# The cells of Ratecard, beside docs/proxies/haproxy.cfg. Made by "ratecard cells routes".
${backends.join('')}`
}

const body =
  '{"error":"service_unavailable","message":"The service cannot answer at the moment. Try again after the seconds in Retry-After."}'
const unavailable = [502, 503, 504].map(
  (status) =>
    `  http-error status ${status} content-type application/json hdr Retry-After 2 string '${body}'`,
)
