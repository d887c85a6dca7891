import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { lock } from 'proper-lockfile'
import { isAlive } from '../platform/is-alive.ts'
import { UserError } from '../platform/user-error.ts'
import { shortLockTimeout, takeLocks } from './take-locks.ts'
import { findOwner, ownFiles, restrictOwnFolder } from './embedded-account.ts'
import { prepareInstallation, type Installation } from './embedded-binaries.ts'

// PostgreSQL of our own, for a machine that has none. Several processes may use one data folder at a time (a server,
// and commands beside it): the first starts the database, the last stops it. Each leaves a note with its pid under
// `users/`; a note whose process is gone counts for nothing, so no crash keeps the database running for ever or takes
// it away from others. `pg_ctl` starts the database in a session of its own: a Ctrl-C in our terminal reaches us, and
// the database only when we stop it.

const run = promisify(execFile)
const startTimeoutMs = 60_000

export interface EmbeddedDatabase {
  /** As the superuser, for administration. */
  connectionString: string
  /** The roles of a Ratecard database: one owns the schema, the other one serves. */
  roles: { owner: string; serving: string }
  /** Where the files lie; not under `DATA_DIR` when root runs from a folder only root may enter. */
  dataDir: string
  /** What PostgreSQL has logged since this was opened. */
  readLog: () => Promise<string>
  /** Starts the database again if it has died. */
  revive: () => Promise<void>
  /** Leaves the database; the last user stops it. */
  release: () => Promise<void>
}

export interface EmbeddedOptions {
  /** Settings for the server's command line, such as `fsync=off` for tests. */
  settings?: readonly string[]
  /** Gets sentences for the operator who starts this. */
  say?: (text: string) => void
}

/** Starts the cluster under `wantedDataDir`, or joins it when it runs already. */
export async function openEmbedded(
  wantedDataDir: string,
  { settings = [], say = () => undefined }: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const installation = await prepareInstallation(wantedDataDir, say)
  const cluster = new Cluster(installation, settings, say)
  const log = join(installation.dataDir, 'postgres.log')
  const logged = await stat(log).catch(() => ({ size: 0 }))
  const port = await cluster.join()
  return {
    connectionString: await cluster.connectionString(port, 'superuser'),
    roles: {
      owner: await cluster.connectionString(port, 'owner'),
      serving: await cluster.connectionString(port, 'serving'),
    },
    dataDir: installation.dataDir,
    readLog: async () => (await readFile(log)).subarray(logged.size).toString(),
    revive: () => cluster.revive(port),
    release: () => cluster.leave(),
  }
}

/** A value that the embedded installation makes once and keeps beside its data, such as its secrets key. */
export async function keepSecret(dataDir: string, name: string, make: () => string): Promise<string> {
  const file = join(dataDir, name)
  try {
    await writeFile(file, make(), { flag: 'wx', mode: 0o600 })
    // Root may work in the folder of an ordinary user, who is to read it later.
    const { uid, gid } = await stat(dataDir)
    if (process.getuid?.() === 0 && uid !== 0) await chown(file, uid, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

/** The roles of the cluster, and the files with their passwords. */
const roles = {
  superuser: { name: 'ratecard', passwordFile: 'password' },
  owner: { name: 'ratecard_owner', passwordFile: 'owner-password' },
  serving: { name: 'ratecard_server', passwordFile: 'server-password' },
} as const
const rolesScript = new URL('./roles.sql', import.meta.url)

class Cluster {
  readonly #installation: Installation
  readonly #settings: readonly string[]
  readonly #say: (text: string) => void
  readonly #pgdata: string
  readonly #users: string

  constructor(installation: Installation, settings: readonly string[], say: (text: string) => void) {
    this.#installation = installation
    this.#settings = settings
    this.#say = say
    this.#pgdata = join(installation.dataDir, 'postgres')
    this.#users = join(installation.dataDir, 'users')
  }

  /** Notes us as a user and returns the port of the running database. */
  async join(): Promise<number> {
    return this.#alone(async () => {
      await mkdir(this.#users, { recursive: true })
      await writeFile(join(this.#users, String(process.pid)), '')
      const running = await this.#runningPort()
      // An earlier release may have started it, without the roles.
      if (running !== null) await this.#prepare(running, { isRunning: true })
      return running ?? (await this.#start(await freePort()))
    })
  }

  async leave(): Promise<void> {
    await this.#alone(async () => {
      await rm(join(this.#users, String(process.pid)), { force: true })
      if ((await this.#liveUsers()).length === 0 && (await this.#runningPort()) !== null) {
        await this.#pgCtl(['stop', '--mode=fast', '--timeout=30'])
      }
    })
  }

  async revive(port: number): Promise<void> {
    if ((await this.#runningPort()) !== null) return
    await this.#alone(async () => {
      if ((await this.#runningPort()) === null) await this.#start(port)
    })
  }

  async connectionString(port: number, role: keyof typeof roles): Promise<string> {
    return `postgres://${roles[role].name}:${await this.#password(role)}@127.0.0.1:${port}/ratecard`
  }

  async #start(port: number): Promise<number> {
    const { account, dataDir, isRoots } = this.#installation
    if (account && isRoots) await ownFiles(dataDir, account, this.#say)
    else if (!account) await restrictOwnFolder(dataDir)
    await this.#initialise()
    await this.#dropForeignLock()
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      ...this.#settings,
    ]
    const log = join(dataDir, 'postgres.log')
    try {
      await this.#pgCtl([
        'start',
        '--wait',
        `--timeout=${startTimeoutMs / 1_000}`,
        `--log=${log}`,
        `--options=${settings.map((setting) => `-c ${setting}`).join(' ')}`,
      ])
    } catch (cause) {
      const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')
      throw new UserError(`The embedded PostgreSQL did not start. The end of ${log}:\n${lines}`, { cause })
    }
    await this.#prepare(port)
    return port
  }

  async #initialise(): Promise<void> {
    const initialised = await readFile(join(this.#pgdata, 'PG_VERSION'), 'utf8').catch(() => null)
    if (initialised !== null) return this.#requireSameMajor(initialised.trim())
    // Left by an initialisation that was interrupted: it has no data yet.
    await rm(this.#pgdata, { recursive: true, force: true })
    await mkdir(this.#pgdata, { mode: 0o700 })
    // A copy for the database's user, who cannot read ours, for as long as this takes.
    const passwordFile = join(this.#installation.dataDir, `initial-password.${process.pid}`)
    try {
      await writeFile(passwordFile, await this.#password('superuser'), { mode: 0o600 })
      const { account } = this.#installation
      if (account) {
        for (const path of [this.#pgdata, passwordFile]) await chown(path, account.uid, account.gid)
      }
      await this.#runAs(this.#installation.binaries.initdb, [
        `--pgdata=${this.#pgdata}`,
        `--username=${roles.superuser.name}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ])
    } finally {
      await rm(passwordFile, { force: true })
    }
  }

  /** Each major version has files of its own form. */
  #requireSameMajor(major: string): void {
    const { binaries, dataDir } = this.#installation
    const [own = ''] = binaries.version.split('.')
    if (major === own) return
    throw new UserError(
      `The database in ${dataDir} is of PostgreSQL ${major}, and this release runs PostgreSQL ${own}. With the release that made it run "ratecard backup"; then, with this one, "ratecard restore" into a new DATA_DIR that has the old secrets-key in it ("Move to a PostgreSQL of your own" in docs/operations.md).`,
    )
  }

  /**
   * Makes the database and its roles, where they are missing.
   * @param isRunning others may be using it: what they have is left alone
   */
  async #prepare(port: number, { isRunning = false } = {}): Promise<void> {
    const url = await this.connectionString(port, 'superuser')
    const server = new URL(url)
    server.pathname = '/postgres'
    let owner: string | undefined
    await withClient(server.href, async (client) => {
      const { rows } = await client.query<{ owner: string }>(
        "select pg_get_userbyid(datdba) as owner from pg_database where datname = 'ratecard'",
      )
      owner = rows[0]?.owner
      if (!owner) await client.query('create database ratecard')
    })
    if (isRunning && owner === roles.owner.name) return
    const passwords = [await this.#password('owner'), await this.#password('serving')]
    await withClient(url, async (client) => {
      await client.query(
        "select set_config('ratecard.owner_password', $1, false), set_config('ratecard.server_password', $2, false)",
        passwords,
      )
      await makeRoles(client)
    })
  }

  /**
   * Port of the running database from its own pid file, or null. A file left behind (kill -9, power cut) names
   * a dead process or one that is no database; a database that still starts or recovers is waited for.
   */
  async #runningPort(): Promise<number | null> {
    for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await setTimeout(100)) {
      const text = await readFile(join(this.#pgdata, 'postmaster.pid'), 'utf8').catch(() => '')
      const [pid, , , port, , , , status = ''] = text.split('\n')
      if (!pid || !isAlive(Number(pid))) return null
      if (status.startsWith('ready')) return (await answers(Number(port))) ? Number(port) : null
      if (status.startsWith('stopping')) continue
      if (!status.startsWith('starting')) return null
    }
    return null
  }

  /**
   * PostgreSQL does not start while its pid file names a living process of its user, even when that is another program
   * by now: after a power cut, pids are given out again. Such a file is removed.
   */
  async #dropForeignLock(): Promise<void> {
    const file = join(this.#pgdata, 'postmaster.pid')
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''))
    if (!(pid > 0) || !isAlive(pid)) return
    // Where the process cannot be looked at, PostgreSQL's own refusal stands.
    const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }))
    if (stdout !== '' && !stdout.includes(this.#pgdata)) await rm(file, { force: true })
  }

  async #liveUsers(): Promise<number[]> {
    const pids = (await readdir(this.#users)).map(Number)
    const live = pids.filter(isAlive)
    await Promise.all(
      pids
        .filter((pid) => !live.includes(pid))
        .map((pid) => rm(join(this.#users, String(pid)), { force: true })),
    )
    return live
  }

  async #password(role: keyof typeof roles): Promise<string> {
    return keepSecret(this.#installation.dataDir, roles[role].passwordFile, () =>
      randomBytes(24).toString('hex'),
    )
  }

  /**
   * Runs `work` while no other process starts or stops the database. Node has no `flock`, and a lock by pid alone
   * cannot be taken over from a dead holder without a race: hence proper-lockfile, old as it is.
   */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const release = await lock(this.#installation.dataDir, {
      lockfilePath: join(this.#installation.dataDir, 'lock'),
      // A holder that died is recognised after this time; a live one renews its claim.
      stale: 5_000,
      retries: { forever: true, minTimeout: 50, maxTimeout: 250, maxRetryTime: 90_000 },
    })
    try {
      return await work()
    } finally {
      await release()
    }
  }

  async #pgCtl(args: readonly string[]): Promise<void> {
    await this.#runAs(this.#installation.binaries.pgCtl, [...args, `--pgdata=${this.#pgdata}`])
  }

  async #runAs(file: string, args: readonly string[]): Promise<void> {
    const { account, dataDir } = this.#installation
    // The owner of the files runs it: a database that an earlier release started is stopped by the user that started
    // it.
    const runner = account && ((await findOwner(this.#pgdata)) ?? account)
    await run(file, args, { cwd: dataDir, ...(runner && { uid: runner.uid, gid: runner.gid }) })
  }
}

/** Tables that change their owner are locked one after the other, in one message, which is one transaction. */
async function makeRoles(client: pg.Client): Promise<void> {
  const script = await readFile(rolesScript, 'utf8')
  await takeLocks(() => client.query(`${shortLockTimeout}; ${script}`), startTimeoutMs)
}

async function withClient(
  connectionString: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-SSLREQUEST
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const answerTimeoutMs = 2_000

/** Whether a PostgreSQL listens there: it answers the question for TLS with one letter, yes or no. */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: answerTimeoutMs })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => socket.write(sslRequest))
    socket.once('data', (data) => end(/^[SN]$/.test(data.toString('latin1'))))
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => end(false))
  })
}

/** A port that is free at this moment. It lies below those that systems give to outgoing connections (from 32,768). */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const probe = createServer().listen(randomInt(20_000, 30_000), '127.0.0.1')
    try {
      await once(probe, 'listening')
      const { port } = probe.address() as AddressInfo
      await once(probe.close(), 'close')
      return port
    } catch (error) {
      // Taken by another program, or kept by the system.
      if (attempt === portAttemptsMax) throw error
    }
  }
}
const portAttemptsMax = 20
