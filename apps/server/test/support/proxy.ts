import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/database/embedded.ts'
import { projectRoot } from '../../src/platform/paths.ts'
import type { ServerProcess } from './process.ts'
import { until } from './until.ts'

// The reverse proxies of docs/proxies, as programs of this machine, on loopback.

export type ProxyName = 'nginx' | 'haproxy'

const files = { nginx: 'docs/proxies/nginx.conf', haproxy: 'docs/proxies/haproxy.cfg' }

export const findProxy = (name: ProxyName) => findProgram(name)

/** Those that are installed here, and the names of the others, with "and" between. */
export function findProxies(): { proxies: ProxyName[]; missing: string } {
  const all = Object.keys(files) as ProxyName[]
  const proxies = all.filter((name) => findProxy(name) !== null)
  return { proxies, missing: all.filter((name) => !proxies.includes(name)).join(' and ') }
}

/** Where the program is; null: it is not installed. */
export function findProgram(name: string): string | null {
  // Debian keeps it where only root looks.
  const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { env: { PATH }, encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** Of a server: what it serves, and its admin port. */
type Addresses = Pick<ServerProcess, 'url' | 'adminUrl'>

/** The file's content, with this test's addresses, and with this test's folder for its own files. */
async function configurationOf(
  name: ProxyName,
  { servers, port, folder, cells, clients }: ProxyOptions & { port: number; folder: string },
): Promise<string> {
  const hosts = servers.map(({ url }) => new URL(url).host)
  let text = await readFile(join(projectRoot, files[name]), 'utf8')
  const put = (pattern: RegExp, replacement: string) => {
    if (!pattern.test(text)) throw new Error(`${files[name]} has no ${String(pattern)}.`)
    text = text.replace(pattern, replacement)
  }
  if (cells) {
    // As operators are told to.
    text = text.replaceAll('#cells ', '')
    if (name === 'nginx') put(/\/etc\/nginx\/ratecard-cells\.conf/, `${folder}/cells`)
    else put(/\/etc\/haproxy\/ratecard-(unmarked|moved)-keys/g, `${folder}/$1-keys`)
  }
  if (clients) {
    // By the PROXY protocol a test is a client of any address.
    if (name === 'haproxy') {
      put(/^( *)bind :8080$/m, `$&\n$1bind 127.0.0.1:${clients.port} accept-proxy`)
      // The first kind is evaluated before the protocol has said the address.
      put(/tcp-request connection track/, 'tcp-request session track')
      put(
        /tcp-request connection reject if { sc0_conn_cur gt 1000 }/,
        `tcp-request session reject if { sc0_conn_cur gt ${clients.connectionsMax} }`,
      )
    } else {
      const listens = `listen 127.0.0.1:${clients.port} proxy_protocol;\n$1real_ip_header proxy_protocol;`
      put(/^( *)listen 8080;$/m, `$&\n$1${listens}\n$1set_real_ip_from 127.0.0.1;`)
      put(/limit_conn clients 1000;/, `limit_conn clients ${clients.connectionsMax};`)
    }
  }
  if (name === 'haproxy') {
    put(/^( *)bind :8080$/m, `$1bind 127.0.0.1:${port}`)
    put(
      /^( *)server ratecard-1 server:8080 check port 9090(.*)$/m,
      servers
        .map(({ adminUrl }, index) => {
          const check = `check port ${new URL(adminUrl).port}`
          return `$1server ratecard-${index + 1} ${hosts[index]} ${check}$2`
        })
        .join('\n'),
    )
    return text
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')
  put(/^( *)listen 8080;$/m, `$1listen 127.0.0.1:${port};`)
  put(/^( *)server server:8080(.*);$/m, hosts.map((host) => `$1server ${host}$2;`).join('\n'))
  put(/^http \{$/m, `http {\n  ${folders}`)
  // As root it would run as a user who cannot enter this folder.
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  return `${user}pid ${folder}/nginx.pid;\ndaemon off;\n${text}`
}

interface ProxyOptions {
  servers: readonly Addresses[]
  /** What leads keys to cells, as "cells routes" prints it, and the hashes of keys that stay at home. */
  cells?: { routes: string; unmarkedKeys: string }
  /** Where clients say their address by the PROXY protocol, and how many connections each may have. */
  clients?: { port: number; connectionsMax: number }
}

/** Starts it in front of these servers, and returns its address once it passes requests on. */
export async function startProxy(
  name: ProxyName,
  servers: readonly Addresses[],
  atEnd: (end: () => Promise<void>) => void,
  { cells, clients }: Pick<ProxyOptions, 'cells' | 'clients'> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `ratecard-${name}-`))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const file = join(folder, 'configuration')
  const options = { servers, port, folder, ...(cells && { cells }), ...(clients && { clients }) }
  await writeFile(file, await configurationOf(name, options))
  await writeFile(join(folder, 'cells'), cells?.routes ?? '')
  await writeFile(join(folder, 'unmarked-keys'), cells?.unmarkedKeys ?? '')
  await writeFile(join(folder, 'moved-keys'), '')
  const args =
    name === 'nginx'
      ? ['-p', folder, '-c', file, '-e', join(folder, 'error.log')]
      : ['-q', '-db', '-f', file, ...(cells ? ['-f', join(folder, 'cells')] : [])]
  const child = spawn(findProxy(name) ?? name, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const closed = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await closed
  })
  const url = `http://127.0.0.1:${port}`
  await until(name, async () => (await fetch(`${url}/health`)).ok)
  return url
}
