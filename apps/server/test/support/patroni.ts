import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../src/database/embedded.ts'
import { projectRoot } from '../../src/platform/paths.ts'
import { debianPostgres, postgresAccount } from './debian-postgres.ts'
import { openNodeNetwork, type NodeNetwork } from './node-network.ts'
import { createDatabase } from './postgres.ts'
import { signal, withDescendants } from './process-tree.ts'
import { findProgram } from './proxy.ts'
import { until } from './until.ts'

// Patroni with etcd, as Debian packages them: three machines, of which one is the primary.

const programs = ['patroni', 'patronictl', 'etcd', 'haproxy'] as const
const missing = [
  ...programs.filter((name) => findProgram(name) === null),
  ...('missing' in debianPostgres ? [debianPostgres.missing] : []),
  ...(mayReachPostgres() ? [] : ['python3-psycopg2']),
]

/** Patroni starts without its driver, and then fails. */
function mayReachPostgres(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import psycopg2'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Why no cluster can be started here; null: it can. */
export const whyNoPatroni = missing.length === 0 ? null : `missing: ${missing.join(', ')}`

/** As docs/failover.md says, with shorter times, and without a watchdog. */
const patroniSettings = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  primary_start_timeout: 0,
}

const scope = 'ratecard'
const isFollowing = ({ state }: Pick<Member, 'state'>) => state === 'running' || state === 'streaming'
const startTimeoutMs = 100_000
/** A node that comes back may have to copy the new primary. */
const wholeTimeoutMs = 240_000
const account = process.getuid?.() === 0 ? (postgresAccount() ?? undefined) : undefined

interface PatroniNode {
  name: string
  host: string
  port: number
  restPort: number
  folder: string
  namespace: string | null
  patroni: ChildProcess | null
}

interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
}

export interface Patroni {
  network: NodeNetwork | null
  /** Those that a running node knows of. */
  members: () => Promise<Member[]>
  leader: () => Promise<PatroniNode>
  syncStandby: () => Promise<PatroniNode>
  /** All nodes follow, and one of them is the synchronous standby, if there is to be one. */
  whole: () => Promise<void>
  /** When, by the clock of this machine, a node became primary last: Patroni's history says it. */
  promotedMs: (sinceMs: number) => Promise<number>
  /** The machine is lost: Patroni, PostgreSQL and all of its processes at once. */
  kill: (node: PatroniNode) => Promise<void>
  /** Patroni is frozen, as by a machine that swaps; PostgreSQL is not. */
  freeze: (node: PatroniNode) => void
  thaw: (node: PatroniNode) => void
  /** The same in the middle of its round: it knows itself as the leader, and has not said so yet. */
  freezeInRound: (node: PatroniNode) => Promise<void>
  start: (node: PatroniNode) => Promise<void>
  switchover: () => Promise<void>
  /** A database of its own for a scene. Returns its URLs: by HAProxy, and by several hosts. */
  createDatabase: () => Promise<[byProxy: string, byHosts: string]>
  indexOf: (node: PatroniNode) => number
  end: () => Promise<void>
}

interface PatroniOptions {
  /** Whether a commit waits for a standby. */
  synchronous?: boolean
  /** How Patroni speaks with etcd: by version 2 or 3 of its interface. */
  etcd?: 'etcd' | 'etcd3'
  /** Whether the network between the nodes can be cut: each has one of its own. Needs root. */
  namespaces?: boolean
}

export async function startPatroni({
  synchronous = true,
  etcd: etcdKind = 'etcd',
  namespaces = false,
}: PatroniOptions = {}): Promise<Patroni> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-patroni-'))
  await chmod(folder, 0o755)
  const network = namespaces ? openNodeNetwork(3) : null
  const etcdHost = network?.witness ?? '127.0.0.1'
  const etcd = await startEtcd(etcdHost, folder, etcdKind)
  const nodes: PatroniNode[] = []
  /** Sessions of a frozen Patroni that were stopped with it, by the name of its node. */
  const stalled = new Map<string, number[]>()
  for (const index of [0, 1, 2]) {
    const own = join(folder, `node${index + 1}`)
    await mkdir(own, { mode: 0o700 })
    if (account) await chown(own, account.uid, account.gid)
    nodes.push({
      name: `node${index + 1}`,
      host: network?.nodes[index]?.host ?? '127.0.0.1',
      port: await freePort(),
      restPort: await freePort(),
      folder: own,
      namespace: network?.nodes[index]?.namespace ?? null,
      patroni: null,
    })
  }
  for (const node of nodes)
    await writeConfiguration(node, { [etcdKind]: { host: etcd.address } }, synchronous)
  const proxy = await startDatabaseProxy(nodes, folder)

  const configurationOf = ({ folder: own }: PatroniNode) => join(own, 'patroni.json')
  const ask = async (node: PatroniNode, path: string): Promise<unknown> => {
    const answer = await fetch(`http://${node.host}:${node.restPort}${path}`, {
      signal: AbortSignal.timeout(1_000),
    })
    return answer.json()
  }
  /** Of the first node that answers. */
  const askAny = (path: string) => Promise.any(nodes.map((node) => ask(node, path)))
  const members = async () => ((await askAny('/cluster')) as { members: Member[] }).members
  const nodeIn = async (role: Member['role']) => {
    const found = (await members()).find((member) => member.role === role)
    return nodes.find(({ name }) => name === found?.name)
  }
  const untilIn = (role: Member['role']) =>
    until(`a ${role}`, () => nodeIn(role), { timeoutMs: startTimeoutMs })

  const start = async (node: PatroniNode) => {
    const log = await open(`${node.folder}.log`, 'a')
    const command = [findProgram('patroni') ?? 'patroni', configurationOf(node)]
    // A namespace is entered as root, and left as the user who runs PostgreSQL.
    const inside =
      node.namespace === null || !account
        ? command
        : [
            ...['ip', 'netns', 'exec', node.namespace, 'setpriv'],
            ...[`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', ...command],
          ]
    const [program = '', ...args] = inside
    node.patroni = spawn(program, args, {
      cwd: '/',
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin`, HOME: node.folder, LC_ALL: 'C.UTF-8' },
      ...(node.namespace === null && account),
    })
    node.patroni.on('close', () => void log.close())
  }
  const pidsOf = async (node: PatroniNode) => {
    const postmaster = await readFile(join(node.folder, 'data', 'postmaster.pid'), 'utf8').then(
      Number.parseInt,
      () => null,
    )
    const roots = [node.patroni?.pid, postmaster].filter((pid) => pid !== undefined && pid !== null)
    return withDescendants(roots)
  }
  const kill = async (node: PatroniNode) => {
    const closed = node.patroni && node.patroni.exitCode === null ? once(node.patroni, 'close') : null
    // Twice: one may have been forked meanwhile.
    for (let round = 0; round < 2; round += 1) for (const pid of await pidsOf(node)) signal(pid, 'SIGKILL')
    await closed
    node.patroni = null
  }
  const isWhole = async () => {
    const all = await members()
    const followers = all.filter(({ role }) => role !== 'leader')
    return (
      all.length === nodes.length &&
      followers.length === 2 &&
      followers.every(isFollowing) &&
      (!synchronous || followers.some(({ role }) => role === 'sync_standby'))
    )
  }
  const whole = async () => {
    const timeoutMs = wholeTimeoutMs / 2
    const isThere = await until('a whole cluster', isWhole, { timeoutMs, intervalMs: 100 }).catch(() => null)
    if (isThere) return
    // As operators do with an old primary that was rewound and still waits for a part of its own log.
    for (const { name, role, state } of await members())
      if (role !== 'leader' && !isFollowing({ state })) {
        process.stderr.write(`${name} does not follow (${state}): it is copied anew.\n`)
        await patronictl('reinit', scope, name, '--force')
      }
    await until('a whole cluster', isWhole, { timeoutMs, intervalMs: 100 })
  }
  const patronictl = async (...words: string[]) => {
    const from = await untilIn('leader')
    await promisify(execFile)(
      findProgram('patronictl') ?? 'patronictl',
      ['-c', configurationOf(from), ...words],
      { cwd: '/', env: { ...process.env, LC_ALL: 'C.UTF-8' } },
    )
  }

  const end = async () => {
    for (const node of nodes) {
      thaw(node)
      await kill(node).catch(() => undefined)
    }
    await Promise.all([proxy.stop(), etcd.stop()])
    network?.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  const thaw = ({ name, patroni }: PatroniNode) => {
    for (const pid of stalled.get(name) ?? []) signal(pid, 'SIGCONT')
    stalled.delete(name)
    patroni?.kill('SIGCONT')
  }
  const freezeInRound = async ({ name, host, port, patroni }: PatroniNode) => {
    const client = new pg.Client({ host, port, user: 'ratecard', database: 'postgres' })
    await client.connect()
    const { rows } = await client
      .query<{ pid: number }>("select pid from pg_stat_activity where application_name = 'Patroni'")
      .finally(() => client.end())
    const pids = rows.map(({ pid }) => pid)
    stalled.set(name, pids)
    for (const pid of pids) signal(pid, 'SIGSTOP')
    // Each round asks its PostgreSQL: by then one waits for the answer.
    await setTimeout(1_500 * patroniSettings.loop_wait)
    patroni?.kill('SIGSTOP')
  }
  try {
    await start(nodes[0]!)
    await untilIn('leader')
    for (const node of nodes.slice(1)) await start(node)
    await whole()
  } catch (error) {
    const logs = await Promise.all(
      nodes.map(({ folder: own }) => readFile(`${own}.log`, 'utf8').catch(() => '')),
    )
    await end()
    throw new Error(`The cluster did not start.\n${logs.map((log) => log.slice(-1_500)).join('\n')}`, {
      cause: error,
    })
  }
  const list = nodes.map(({ host, port }) => `${host}:${port}`).join(',')
  const urlOfHosts = `postgres://ratecard@${list}/postgres?target_session_attrs=read-write`
  const urlOfProxy = `postgres://ratecard@127.0.0.1:${proxy.port}/postgres`
  let scenes = 0
  return {
    network,
    members,
    leader: () => untilIn('leader'),
    syncStandby: () => untilIn('sync_standby'),
    whole,
    promotedMs: (sinceMs) =>
      until(
        'a new primary in the history',
        async () => {
          const history = (await askAny('/history')) as [number, number, string, string][]
          const times = history.map(([, , , at]) => Date.parse(at)).filter((ms) => ms >= sinceMs)
          return times.length > 0 ? Math.max(...times) : null
        },
        { timeoutMs: startTimeoutMs },
      ),
    kill,
    freeze: ({ patroni }) => void patroni?.kill('SIGSTOP'),
    thaw,
    freezeInRound,
    start,
    switchover: async () => {
      const to = synchronous ? await untilIn('sync_standby') : null
      await patronictl('switchover', scope, '--force', ...(to ? ['--candidate', to.name] : []))
    },
    createDatabase: async () => {
      const name = `scene_${(scenes += 1)}`
      await until('a database', async () => {
        await createDatabase(urlOfProxy, name)
        return true
      })
      const path = (url: string) => url.replace(/\/postgres(?=\?|$)/, `/${name}`)
      return [path(urlOfProxy), path(urlOfHosts)]
    },
    indexOf: (node) => nodes.indexOf(node),
    end,
  }
}

async function startEtcd(
  host: string,
  folder: string,
  kind: 'etcd' | 'etcd3',
): Promise<{ address: string } & Running> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [address, peer] = [`${host}:${port}`, `http://${host}:${peerPort}`]
  const settings = {
    'data-dir': join(folder, 'etcd'),
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'initial-cluster': `default=${peer}`,
    'log-level': 'error',
    'unsafe-no-fsync': true,
    'enable-v2': kind === 'etcd',
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const running = run('etcd', args)
  await until('etcd', async () => (await fetch(`http://${address}/health`)).ok)
  return { address, ...running }
}

/** The database's proxy of docs/proxies, with these addresses. */
async function startDatabaseProxy(
  nodes: readonly PatroniNode[],
  folder: string,
): Promise<{ port: number } & Running> {
  const port = await freePort()
  const servers = nodes.map(
    ({ name, host, port: own, restPort }) => `  server ${name} ${host}:${own} check port ${restPort}`,
  )
  const text = await readFile(join(projectRoot, 'docs/proxies/haproxy-patroni.cfg'), 'utf8')
  const file = join(folder, 'haproxy.cfg')
  const lines = text.split('\n').filter((line) => !line.startsWith('  server '))
  await writeFile(file, [...lines, ...servers, ''].join('\n').replace('bind :5000', `bind 127.0.0.1:${port}`))
  return { port, ...run('haproxy', ['-q', '-db', '-f', file]) }
}

interface Running {
  stop: () => Promise<void>
}

function run(name: (typeof programs)[number], args: readonly string[]): Running {
  const child = spawn(findProgram(name) ?? name, args, { stdio: 'ignore', cwd: '/' })
  const closed = once(child, 'close')
  return {
    stop: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function writeConfiguration(node: PatroniNode, etcd: object, synchronous: boolean): Promise<void> {
  const address = `${node.host}:${node.port}`
  const rest = `${node.host}:${node.restPort}`
  const file = join(node.folder, 'patroni.json')
  const configuration = {
    scope,
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    ...etcd,
    bootstrap: {
      dcs: {
        ...patroniSettings,
        synchronous_mode: synchronous,
        postgresql: {
          use_pg_rewind: true,
          // Nothing here cuts the power: what a process has written stays.
          parameters: { fsync: 'off', max_connections: 100, shared_buffers: '32MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
      pg_hba: ['host all all all trust', 'host replication all all trust'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(node.folder, 'data'),
      bin_dir: 'folder' in debianPostgres ? debianPostgres.folder : '',
      pgpass: join(node.folder, 'pgpass'),
      authentication: {
        superuser: { username: 'ratecard' },
        replication: { username: 'replicator' },
        rewind: { username: 'rewinder' },
      },
      parameters: { unix_socket_directories: node.folder },
      basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
    },
  }
  // JSON is YAML.
  await writeFile(file, JSON.stringify(configuration, null, 2))
  if (account) await chown(file, account.uid, account.gid)
}
