import { execFile, execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../src/database/embedded.ts'
import { prepareInstallation } from '../../src/database/embedded-binaries.ts'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { soon } from '../support/alert-fixtures.ts'
import { ratecard, startServer, type ServerProcess } from '../support/process.ts'

// Owners and modes of the embedded PostgreSQL's files. A service on the same machine that runs as `nobody` or
// `postgres`, or an attacker in the database's own process, gets neither passwords nor the key.

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const folders: string[] = []
let dataDir = ''
const env = () => ({ DATA_DIR: dataDir })

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-files-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  dataDir = join(folder, 'data')
})
afterAll(async () => {
  for (const folder of folders)
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

const idOf = (name: string) => ({
  uid: Number(execFileSync('id', ['-u', name], { encoding: 'utf8' })),
  gid: Number(execFileSync('id', ['-g', name], { encoding: 'utf8' })),
})

interface Owned {
  uid: number
  mode: number
}

async function look(path: string): Promise<Owned> {
  const { uid, mode } = await lstat(path)
  return { uid, mode: mode & 0o777 }
}

/** Whether a shell script succeeds as that user. */
async function succeedsAs(account: { uid: number; gid: number }, script: string): Promise<boolean> {
  return run('sh', ['-c', script], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

async function isServing({ adminUrl }: ServerProcess): Promise<boolean> {
  return (await fetch(`${adminUrl}/ready`)).ok
}

const secretFiles = ['secrets-key', 'password', 'owner-password', 'server-password']

async function expectRootsFiles(): Promise<void> {
  const { uid, gid } = await lstat(join(dataDir, 'postgres'))
  const shared = ['nobody', 'postgres'].map((name) => idOf(name).uid)
  expect([0, ...shared]).not.toContain(uid)
  expect(await look(dataDir)).toEqual({ uid: 0, mode: 0o710 })
  expect(await look(join(dataDir, 'postgres'))).toEqual({ uid, mode: 0o700 })
  for (const file of secretFiles)
    expect(await look(join(dataDir, file)), file).toEqual({ uid: 0, mode: 0o600 })

  for (const account of [idOf('nobody'), idOf('postgres'), { uid, gid }]) {
    for (const file of [...secretFiles, 'users', 'lock']) {
      const path = join(dataDir, file)
      expect(await succeedsAs(account, `cat ${path}`), `${account.uid} reads ${file}`).toBe(false)
      expect(await succeedsAs(account, `rm -rf ${path} && echo mine > ${path}`)).toBe(false)
      expect(await succeedsAs(account, `mv ${path} ${path}.away`)).toBe(false)
    }
    expect(await succeedsAs(account, `touch ${join(dataDir, 'mine')}`)).toBe(false)
    expect(await succeedsAs(account, `mv ${dataDir} ${dataDir}.away`)).toBe(false)
  }
  for (const account of [idOf('nobody'), idOf('postgres')]) {
    expect(await succeedsAs(account, `ls ${dataDir}`)).toBe(false)
    expect(await succeedsAs(account, `cat ${join(dataDir, 'postgres/PG_VERSION')}`)).toBe(false)
    expect(await succeedsAs(account, `cat ${join(dataDir, 'postgres.log')}`)).toBe(false)
  }
}

describe.skipIf(!isRoot)(`started by root${isRoot ? '' : ' (skipped: not root)'}`, () => {
  test("a new folder is root's, but for what PostgreSQL itself needs, which is of a user for nothing else", async () => {
    const server = await startServer(env())
    await expect.poll(() => isServing(server), soon).toBe(true)
    await expectRootsFiles()
    expect(await server.stop()).toBe(0)
    expect((await readdir(dataDir)).sort()).toEqual(
      [...secretFiles, 'postgres', 'postgres.log', 'users'].sort(),
    )
  })

  test.each(['nobody', 'postgres'])(
    "a folder as earlier releases left it, all of it %s's, is taken over once, with what is in it",
    async (user) => {
      const accountId = await makeReleasedLayout(user)
      const key = Buffer.alloc(32, 5).toString('base64')
      await writeFile(join(dataDir, 'secrets-key'), key, { mode: 0o600 })

      const first = await ratecard(['accounts', 'list', '--json'], env())
      expect((JSON.parse(first.stdout) as { id: string }[]).map(({ id }) => id)).toEqual([accountId])
      expect(first.stderr).toContain(`${dataDir} was the user ${user}'s`)
      const second = await ratecard(['accounts', 'list', '--json'], env())
      expect({ ...second, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' })

      const server = await startServer(env())
      await expect.poll(() => isServing(server), soon).toBe(true)
      await expectRootsFiles()
      expect(await readFile(join(dataDir, 'secrets-key'), 'utf8')).toBe(key)
      expect(await rolesInUse()).toEqual(['ratecard_server'])
      expect(await server.stop()).toBe(0)
    },
  )

  test('a secret that was replaced by a link is not followed', async () => {
    await makeReleasedLayout('nobody')
    const target = join(dirname(dataDir), 'target')
    await writeFile(target, 'root alone', { mode: 0o600 })
    await symlink(target, join(dataDir, 'secrets-key'))
    const { exitCode, stderr } = await ratecard(['accounts', 'list'], env())
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`${join(dataDir, 'secrets-key')} is not a plain file`)
    expect(await look(target)).toEqual({ uid: 0, mode: 0o600 })
  })

  test('a folder with files of others keeps its own mode and owner', async () => {
    await mkdir(dataDir, { mode: 0o755 })
    await writeFile(join(dataDir, 'theirs'), '')
    expect((await ratecard(['accounts', 'list'], env())).exitCode).toBe(0)
    expect(await look(dataDir)).toEqual({ uid: 0, mode: 0o755 })
    expect(await look(join(dataDir, 'postgres'))).toMatchObject({ mode: 0o700 })
    expect(await succeedsAs(idOf('nobody'), `cat ${join(dataDir, 'password')}`)).toBe(false)
  })

  test('a folder of an ordinary user stays theirs: PostgreSQL runs as that user', async () => {
    await chmod(dirname(dataDir), 0o777)
    const somebody = { uid: 4242, gid: 4242 }
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, somebody.uid, somebody.gid)
    await makeCluster(idOf('games'))
    await run('chown', ['-R', 'games:games', dataDir])
    expect(await ratecard(['accounts', 'list', '--json'], env())).toMatchObject({
      exitCode: 0,
      stdout: '[]\n',
    })
    const { uid } = idOf('games')
    for (const file of ['', 'postgres', 'password', 'server-password']) {
      expect((await look(join(dataDir, file))).uid, file).toBe(uid)
    }
  })
})

describe('the roles inside', () => {
  test('what serves is no superuser, can change no table, and cannot read the password hashes', async () => {
    const server = await startServer(env())
    await expect.poll(() => isServing(server), soon).toBe(true)
    expect(await rolesInUse()).toEqual(['ratecard_server'])
    const serving = await clientAs('ratecard_server', 'server-password')
    const owner = await clientAs('ratecard_owner', 'owner-password')
    try {
      for (const statement of [
        'create table loot (id int)',
        'create temporary table loot (id int)',
        'drop table prices',
        'select * from pg_authid',
      ]) {
        await expect(serving.query(statement)).rejects.toMatchObject({ code: '42501' })
      }
      const { rows } = await owner.query('select rolsuper from pg_roles where rolname = current_user')
      expect(rows).toEqual([{ rolsuper: false }])
      const { rows: foreign } = await owner.query(`
        select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = relnamespace
        where nspname in ('public', 'pgboss') and relowner <> 'ratecard_owner'::regrole`)
      expect(foreign).toEqual([])
    } finally {
      await serving.end()
      await owner.end()
    }
    expect(server.log()).not.toContain('superuser')
    expect(await server.stop()).toBe(0)
  })
})

async function portOf(): Promise<number> {
  const lines = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  return Number(lines[3])
}

async function clientAs(user: string, passwordFile: string): Promise<pg.Client> {
  const password = (await readFile(join(dataDir, passwordFile), 'utf8')).trim()
  const client = new pg.Client({
    host: '127.0.0.1',
    port: await portOf(),
    user,
    password,
    database: 'ratecard',
  })
  await client.connect()
  return client
}

/** Roles of the server's own connections. */
async function rolesInUse(): Promise<string[]> {
  const admin = await clientAs('ratecard', 'password')
  try {
    const { rows } = await admin.query<{ usename: string }>(
      "select distinct usename from pg_stat_activity where application_name like 'ratecard%' order by usename",
    )
    return rows.map(({ usename }) => usename)
  } finally {
    await admin.end()
  }
}

/** A folder as the releases before this one made it when root started them: a superuser's database, at 0755. */
async function makeReleasedLayout(user: string): Promise<string> {
  const account = idOf(user)
  await mkdir(dataDir, { mode: 0o755 })
  await chown(dataDir, account.uid, account.gid)
  await mkdir(join(dataDir, 'users'))
  return makeCluster(account)
}

async function makeCluster(account: { uid: number; gid: number }): Promise<string> {
  const pgdata = join(dataDir, 'postgres')
  const passwordFile = join(dataDir, 'password')
  await writeFile(passwordFile, 'of the superuser', { mode: 0o600 })
  await chown(passwordFile, account.uid, account.gid)
  await chown(dataDir, account.uid, account.gid)
  const { binaries } = await prepareInstallation(join(tmpdir(), 'ratecard-files-binaries'))
  await run(
    binaries.initdb,
    [
      `--pgdata=${pgdata}`,
      '--username=ratecard',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
    ],
    { ...account, cwd: '/' },
  )
  const port = await freePort()
  const log = join(dataDir, 'postgres.log')
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  await run(
    binaries.pgCtl,
    ['start', '--wait', `--pgdata=${pgdata}`, `--log=${log}`, `--options=${options}`],
    { ...account, cwd: '/' },
  )
  try {
    const url = new URL(`postgres://ratecard@127.0.0.1:${port}/postgres`)
    url.password = 'of the superuser'
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    await admin.query('create database ratecard')
    await admin.end()
    url.pathname = '/ratecard'
    const db = connect({ connectionString: url.href })
    await migrate(db)
    if (account.uid === idOf('games').uid) {
      await db.destroy()
      return ''
    }
    await db.insertInto('accounts').values({ id: 'acct_released', name: 'Acme' }).execute()
    await db.destroy()
    return 'acct_released'
  } finally {
    await run(binaries.pgCtl, ['stop', '--mode=fast', `--pgdata=${pgdata}`], { ...account, cwd: '/' })
  }
}
