import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { lineBytesMax } from '../src/backup/format.ts'
import { checkBackup } from '../src/backup/read-backup.ts'
import { requireKnownSchema } from '../src/backup/restore-target.ts'
import { restoreRows } from '../src/backup/restore-backup.ts'
import { connect, type Db } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { insertPasskey } from '../src/features/members/passkey-store.ts'
import { insertVerifiedUser } from '../src/features/members/user-store.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { insertWebhook } from '../src/features/webhooks/webhook-store.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './support/actors.ts'
import { contentOf, rewrite } from './support/backup-scene.ts'
import { authorityFile } from './support/certificates.ts'
import { request } from './support/client.ts'
import { changeFile, spend } from './support/fixtures.ts'
import { becomeReady, patience } from './support/load.ts'
import {
  countLockWaits,
  createDatabase,
  dropDatabase,
  urlOfDatabase,
  useDatabase,
} from './support/postgres.ts'
import { environment, program, ratecard, startServer } from './support/process.ts'
import { startReceiver, type Receiver } from './support/receiver.ts'

// What a backup holds, what restores it, and what refuses to.

const source = useDatabase()
const secretsKey = generateSecretsKey()
let folder = ''
let file = ''
let customer: Customer
let receiver: Receiver
let made: Record<string, unknown>

const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  SECRETS_KEY: secretsKey,
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_CA_FILE: authorityFile,
})

/** Texts that a format of lines could stumble over. */
const oddTexts = ['a\nb', 'a\tb\\n', '\\.', '\\N', '', ' \r\n\\', '😀 "quoted" {}', '\u2028\u0001']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-backup-'))
  receiver = await startReceiver()
  const { db } = source
  await storePrices(db, [priceRecord({ resource_id: 'acme:alpha', input_per_mtok: '0.000000001' })])
  customer = await createCustomer(db, { plan: 'scale', packUnits: 7 })
  for (const name of oddTexts)
    await sql`insert into settings (name, value) values (${`odd ${randomBytes(4).toString('hex')}`}, ${name})`.execute(
      db,
    )
  await spend(db, customer, 42)
  const input = { url: `${receiver.url}/waiting`, events: ['*' as const], secret: 'sixteen-or-more-chars' }
  await db
    .transaction()
    .execute((trx) => insertWebhook(trx, customer.accountId, input, createSecretBox([secretsKey])))
  await db.transaction().execute(async (trx) => {
    const person = { name: 'Ada', email: 'ada@customer.example', password: 'correct horse battery' }
    await insertPasskey(trx, await insertVerifiedUser(trx, person), 'Phone', {
      credentialId: randomBytes(16).toString('base64url'),
      publicKey: randomBytes(77),
      signCount: 0,
    })
  })
  const changes = join(folder, 'changes.json')
  await writeFile(
    changes,
    JSON.stringify([changeFile({ summary: oddTexts.join(' ').replace('\u0001', '') })]),
  )
  const published = await ratecard(['changes', 'publish', changes], environmentOf(source.url))
  expect(published).toMatchObject({ exitCode: 0 })
  const backup = await ratecard(['backup', '--to', folder, '--json'], environmentOf(source.url))
  expect(backup).toMatchObject({ exitCode: 0 })
  made = JSON.parse(backup.stdout) as Record<string, unknown>
  file = made.file as string
})
afterAll(async () => {
  await receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

async function useEmpty(): Promise<{ url: string; db: Db }> {
  const name = `ratecard_test_restore_${randomBytes(6).toString('hex')}`
  await createDatabase(inject('postgresUrl'), name)
  const url = urlOfDatabase(inject('postgresUrl'), name)
  const db = connect({ connectionString: url })
  onTestFinished(async () => {
    await db.destroy()
    await dropDatabase(inject('postgresUrl'), name)
  })
  return { url, db }
}

const restoreInto = (url: string, path: string) =>
  restoreRows({ path, connectionString: url, queue: null, onProgress: () => undefined })

const tablesIn = async (db: Db) =>
  (await sql`select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db))
    .rows.length

describe('a backup', () => {
  test('is one file, readable by its owner alone, that says what is in it', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(made).toMatchObject({
      secrets_keys: [createSecretBox([secretsKey]).sealingKeyId],
      pending: { deliveries: 1, notices: 0 },
      tables: { accounts: 1, prices: 1, settings: oddTexts.length },
    })
  })

  test('has no session and no secret as it is', async () => {
    expect(made.tables).not.toHaveProperty('auth_sessions')
    const text = gunzipSync(await readFile(file)).toString()
    for (const secret of [customer.key, 'sixteen-or-more-chars', secretsKey])
      expect(text).not.toContain(secret)
  })

  test('never replaces a file', async () => {
    const { exitCode, stderr } = await ratecard(['backup', '--to', file], environmentOf(source.url))
    expect(stderr).toContain('is there already, and is not replaced')
    expect(exitCode).toBe(1)
  })

  test('that is interrupted leaves no file', async () => {
    const empty = await mkdtemp(join(folder, 'interrupted-'))
    const holder = await source.db.startTransaction().execute()
    onTestFinished(async () => void (await holder.rollback().execute()))
    await sql`lock table usage_days in access exclusive mode`.execute(holder)
    const child = spawn(process.execPath, [program, 'backup', '--to', empty], {
      env: environment(environmentOf(source.url)),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await expect.poll(() => readdir(empty), patience).toHaveLength(1)
    await expect.poll(() => countLockWaits(source.db), patience).toBe(1)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([1, null])
    expect(await readdir(empty)).toEqual([])
  })

  test('deletes what a killed one has left in its folder, and nothing that may still be written', async () => {
    const shared = await mkdtemp(join(folder, 'shared-'))
    const [left, recent] = [4_194_305, 4_194_306].map((pid) =>
      join(shared, `ratecard-2026-01-01T00-00-00Z.backup.gz.${pid}.part`),
    )
    for (const name of [left!, recent!]) await writeFile(name, '')
    const yesterday = new Date(Date.now() - 86_400_000)
    await utimes(left!, yesterday, yesterday)
    const { exitCode } = await ratecard(['backup', '--to', shared], environmentOf(source.url))
    expect(exitCode).toBe(0)
    const parts = (await readdir(shared)).filter((name) => name.endsWith('.part'))
    expect(parts).toEqual([basename(recent!)])
  })

  test('needs no sequence: our tables have none', async () => {
    const { rows } = await sql`
      select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`.execute(
      source.db,
    )
    expect(rows).toEqual([])
  })

  test('of a database that is not ours says so', async () => {
    const { url } = await useEmpty()
    const { exitCode, stderr } = await ratecard(['backup', '--to', folder], environmentOf(url))
    expect(stderr).toContain('no tables of Ratecard')
    expect(exitCode).toBe(1)
  })
})

describe('restored', () => {
  test('every row is as it was, lists are in a new version, and what waited is sent once', async () => {
    const { url, db } = await useEmpty()
    const result = await ratecard(['restore', file, '--pending', 'send', '--json'], environmentOf(url))
    expect(result).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(result.stdout)).toMatchObject({
      rows: made.rows,
      pending_became: 'send',
      ledger_differences: 0,
    })
    const { list_versions: there, ...before } = await contentOf(source.db)
    const { list_versions: here, ...after } = await contentOf(db)
    expect(after).toEqual(before)
    expect(here).not.toBe(there)
    const versions = (one: Db) => one.selectFrom('list_versions').selectAll().orderBy('list').execute()
    const [old, now] = [await versions(source.db), await versions(db)]
    for (const [index, { version }] of now.entries()) expect(version).toBeGreaterThan(old[index]!.version)

    const server = await startServer(environmentOf(url))
    await becomeReady([server])
    const wanted = { wanted: ({ path }: { path: string }) => path === '/waiting' }
    await receiver.waitFor(1, wanted)
    const states = () => db.selectFrom('deliveries').select('state').execute()
    await expect.poll(states, patience).toEqual([{ state: 'delivered' }])
    expect(receiver.received.filter(wanted.wanted)).toHaveLength(1)
    const answer = await request(server.url, '/v1/usage', { key: customer.key })
    expect(answer.body).toMatchObject({ daily_quota: { used: 42 }, topup: { remaining: 7 } })
    expect(await server.stop()).toBe(0)
  })

  test('beside a server it is served at once, and cancelled alerts are never sent', async () => {
    const { url, db } = await useEmpty()
    const server = await startServer(environmentOf(url))
    await becomeReady([server])
    const sentBefore = receiver.received.length
    expect(await ratecard(['restore', file, '--pending', 'cancel'], environmentOf(url))).toMatchObject({
      exitCode: 0,
    })
    const answer = await request(server.url, '/v1/prices', { key: customer.key })
    expect(answer.body).toMatchObject({ data: [{ resource_id: 'acme:alpha' }] })
    expect(await db.selectFrom('deliveries').select('state').execute()).toEqual([{ state: 'cancelled' }])
    expect(await server.stop()).toBe(0)
    expect(receiver.received.length).toBe(sentBefore)
  })

  test('beside one who holds what it needs, and needs what it holds, it waits', async () => {
    const { url, db } = await useEmpty()
    await migrate(db)
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    // PostgreSQL would end the restoring one, which looks for a deadlock first.
    await other.query("set deadlock_timeout = '30s'; begin; lock table deliveries in access share mode")
    const restoring = ratecard(['restore', file, '--pending', 'cancel'], environmentOf(url))
    await expect.poll(() => countLockWaits(db), patience).toBe(1)
    await other.query('select from accounts')
    // Longer than one attempt, and than it takes PostgreSQL to look.
    await setTimeout(1_500)
    await other.query('commit')
    expect(await restoring).toMatchObject({ exitCode: 0 })
  })

  test('by two at once it is by one', async () => {
    const { url, db } = await useEmpty()
    const restore = () => ratecard(['restore', file, '--pending', 'cancel'], environmentOf(url))
    const results = await Promise.all([restore(), restore()])
    expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
    expect(results.map(({ stderr }) => stderr).join()).toContain('not empty')
    expect((await contentOf(db)).accounts).toBe((await contentOf(source.db)).accounts)
  })
})

describe('refused, with nothing written', () => {
  const check = (path: string) => checkBackup(path, () => undefined)
  const changed = (change: (text: string) => string, options = {}) =>
    rewrite(file, join(folder, 'changed.gz'), change, options)

  test('a database that is not empty', async () => {
    const before = await contentOf(source.db)
    const result = await ratecard(['restore', file, '--pending', 'send'], environmentOf(source.url))
    expect(result.stderr).toContain('This database is not empty')
    expect(result.exitCode).toBe(1)
    expect(await contentOf(source.db)).toEqual(before)
  })

  test.each([
    ['a file that is cut off', (bytes: number) => bytes - 1],
    ['half of a file', (bytes: number) => Math.floor(bytes / 2)],
    ['an empty file', () => 0],
  ])('%s', async (_what, length) => {
    const cut = join(folder, 'cut.gz')
    await writeFile(cut, await readFile(file))
    await truncate(cut, length((await stat(file)).size))
    await expect(check(cut)).rejects.toThrow('is damaged or was cut off')
  })

  test('a changed amount, a missing row, and more behind the end', async () => {
    const amount = (text: string) => text.replace('0.000000001', '0.000000002')
    await expect(check(await changed(amount, { checksum: false }))).rejects.toThrow('its checksum is another')
    const row = (text: string) => text.replace(/^acct_.*\n/m, '')
    await expect(check(await changed(row))).rejects.toThrow('rows are missing')
    const twice = join(folder, 'twice.gz')
    await writeFile(twice, Buffer.concat([await readFile(file), await readFile(file)]))
    await expect(check(twice)).rejects.toThrow('there is more behind its end')
  })

  test('what is no backup, or no file', async () => {
    await expect(check(authorityFile)).rejects.toThrow('is no backup of Ratecard')
    await expect(check(folder)).rejects.toThrow('it is a folder')
    await expect(check(join(folder, 'nothing'))).rejects.toThrow('there is no such file')
    const endless = join(folder, 'endless.gz')
    await writeFile(endless, gzipSync(Buffer.alloc(lineBytesMax + 100_000)))
    await expect(check(endless)).rejects.toThrow('a line is too long')
  })

  test('a newer schema, or a newer form', async () => {
    const schema = await changed((text) => text.replace(/("migrations":\[[^\]]*)/, '$1,"9001_future"'))
    const { header } = await check(schema)
    await expect(requireKnownSchema(header)).rejects.toThrow('made by a newer release')
    const form = await changed((text) => text.replace('"version":1', '"version":2'))
    await expect(check(form)).rejects.toThrow('is a backup of form 2')
  })

  test('another SECRETS_KEY', async () => {
    const { url, db } = await useEmpty()
    const env = { ...environmentOf(url), SECRETS_KEY: generateSecretsKey() }
    const { exitCode, stderr } = await ratecard(['restore', file, '--pending', 'cancel'], env)
    expect(stderr).toContain(`SECRETS_KEY lacks the key ${createSecretBox([secretsKey]).sealingKeyId}`)
    expect(exitCode).toBe(1)
    expect(await tablesIn(db)).toBe(0)
    // Where it is lost, what it protects is, and the rest is not.
    const args = ['restore', file, '--pending', 'cancel', '--without-secrets-key']
    expect(await ratecard(args, env)).toMatchObject({ exitCode: 0 })
    expect((await contentOf(db)).webhooks).toBe((await contentOf(source.db)).webhooks)
  })

  test('no SECRETS_KEY, which a new one would not make good', async () => {
    const { url, db } = await useEmpty()
    const env = { ...environmentOf(url), SECRETS_KEY: '' }
    const { exitCode, stderr } = await ratecard(['restore', file, '--pending', 'cancel'], env)
    expect(stderr).toContain('Set it to the one of the installation that made the backup')
    expect(stderr).not.toContain('openssl')
    expect(exitCode).toBe(1)
    expect(await tablesIn(db)).toBe(0)
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(!isRoot)(
    `a full disk under an embedded database${isRoot ? '' : ' (skipped: not root)'}`,
    async () => {
      const small = await mkdtemp(join(folder, 'small-'))
      await chmod(folder, 0o755)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=755', 'none', small])
      onTestFinished(() => void execFileSync('umount', [small]))
      const embedded = await openEmbedded(join(small, 'data'))
      onTestFinished(() => embedded.release())
      const { bavail, bsize } = await statfs(small)
      await writeFile(join(small, 'filler'), Buffer.alloc(bavail * bsize - 2_000_000))
      const { exitCode, stderr } = await ratecard(
        ['restore', file, '--pending', 'cancel', '--without-secrets-key'],
        {
          DATA_DIR: join(small, 'data'),
        },
      )
      expect(stderr).toContain('The disk of the embedded database is full')
      expect(exitCode).toBe(1)
    },
  )

  test('alerts that waited, without a word about them', async () => {
    const { url, db } = await useEmpty()
    const { exitCode, stderr } = await ratecard(['restore', file], environmentOf(url))
    expect(stderr).toContain('1 alerts and 0 notices waited to be sent')
    expect(exitCode).toBe(2)
    expect(await tablesIn(db)).toBe(0)
  })

  test('rows that the tables do not take, and a file that changed since it was checked: nothing stays', async () => {
    const { url, db } = await useEmpty()
    await migrate(db)
    const empty = await contentOf(db)
    const dangling = await changed((text) => text.replace(/^(key_\S+\t)acct_\S+/m, '$1acct_nobody'))
    await expect(restoreInto(url, dangling)).rejects.toThrow('violates foreign key')
    const damaged = await changed((text) => text.replace('0.000000001', '0.000000002'), { checksum: false })
    await expect(restoreInto(url, damaged)).rejects.toThrow('its checksum is another one')
    expect(await contentOf(db)).toEqual(empty)
  })

  test('tables with other columns', async () => {
    const { url, db } = await useEmpty()
    await migrate(db)
    await sql`alter table settings add column note text`.execute(db)
    await expect(restoreInto(url, file)).rejects.toThrow('settings.note')
  })
})
