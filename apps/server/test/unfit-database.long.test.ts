import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { compareMigrations, namesIn } from '../src/database/compare-migrations.ts'
import { migrate } from '../src/database/migrate.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { insertWebhook } from '../src/features/webhooks/webhook-store.ts'
import { openQueue } from '../src/queue/queue.ts'
import { createLogger } from '../src/platform/logger.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { selfSignedCertificate } from './support/certificates.ts'
import { request } from './support/client.ts'
import { patience } from './support/load.ts'
import {
  countLockWaits,
  createDatabase,
  dropDatabase,
  urlOfDatabase,
  useDatabase,
} from './support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from './support/process.ts'

// Databases that a server cannot work with as they are: it says why, and goes on by itself where that can pass.

const database = useDatabase()
const secretsKey = generateSecretsKey()
const environment = () => ({ DATABASE_URL: database.url, SECRETS_KEY: secretsKey })

async function readiness({ adminUrl }: ServerProcess): Promise<unknown> {
  return (await fetch(`${adminUrl}/ready`)).json()
}

describe('a node that takes no writes', () => {
  // As of the moment when a connection is made: those that are open stay as they are, like those to a standby behind a
  // name that has moved since.
  async function takeWrites(takes: boolean): Promise<void> {
    const name = new URL(database.url).pathname.slice(1)
    const admin = connect({ connectionString: inject('postgresUrl') })
    const readOnly = sql.raw(takes ? 'off' : 'on')
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${readOnly}`.execute(admin)
    await admin.destroy()
  }

  test('is left by itself, and /ready says so while it lasts', async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    // The tables of the queue are there.
    await ratecard(['migrate'], environment())
    await takeWrites(false)
    onTestFinished(() => takeWrites(true))
    const server = await startServer(environment(), ['--no-worker'])
    await expect
      .poll(() => readiness(server), patience)
      .toEqual({
        status: 'degraded',
        reason: expect.stringContaining('the database takes no writes') as string,
      })
    const body = { url: 'https://hooks.acme.example/x', events: ['*'], secret: 'sixteen-or-more-characters' }
    const create = () => request(server.url, '/v1/webhooks', { key, method: 'POST', body })
    expect((await request(server.url, '/v1/prices', { key })).status).toBe(503)
    expect((await create()).status).toBe(503)
    expect((await fetch(`${server.adminUrl}/database`)).status).toBe(503)

    await takeWrites(true)
    await expect
      .poll(async () => (await request(server.url, '/v1/prices', { key })).status, patience)
      .toBe(200)
    // Each connection of the pool is tried once at most before it is given up.
    await expect.poll(async () => (await create()).status, patience).toBe(201)
    await expect.poll(() => readiness(server), patience).toEqual({ status: 'ok' })
    expect(await server.stop()).toBe(0)
  })
})

test('secrets under a key that SECRETS_KEY lacks stop the start; given up, they do not', async () => {
  const { accountId } = await createCustomer(database.db, { plan: 'developer' })
  const lost = createSecretBox([generateSecretsKey()])
  const input = {
    url: 'https://hooks.acme.example/y',
    events: ['*' as const],
    secret: 'sixteen-or-more-chars',
  }
  const { id } = await database.db.transaction().execute((trx) => insertWebhook(trx, accountId, input, lost))
  const ports = { PORT: '0', ADMIN_PORT: '0' }
  for (const command of [['serve', '--no-worker'], ['worker']]) {
    const { exitCode, stderr } = await ratecard(command, { ...environment(), ...ports })
    expect(stderr).toContain(`SECRETS_KEY lacks the key ${lost.sealingKeyId}`)
    expect(stderr).not.toContain('fault of ours')
    expect(exitCode).toBe(1)
  }
  const abandoned = await ratecard(['secrets', 'abandon', lost.sealingKeyId, '--json'], environment())
  expect(JSON.parse(abandoned.stdout)).toEqual({ id: lost.sealingKeyId, abandoned: 1 })
  const { active } = await database.db
    .selectFrom('webhooks')
    .select('active')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(active).toBe(false)
  const own = createSecretBox([secretsKey]).sealingKeyId
  expect((await ratecard(['secrets', 'abandon', own], environment())).stderr).toContain('can be read')
  const server = await startServer(environment(), ['--no-worker'])
  await expect.poll(() => readiness(server), patience).toEqual({ status: 'ok' })
})

describe('migrations', () => {
  async function useEmptyDatabase(): Promise<{ url: string; db: Db }> {
    const name = `ratecard_test_${randomBytes(6).toString('hex')}`
    await createDatabase(inject('postgresUrl'), name)
    const url = urlOfDatabase(inject('postgresUrl'), name)
    const db = connect({ connectionString: url })
    onTestFinished(async () => {
      await db.destroy()
      await dropDatabase(inject('postgresUrl'), name)
    })
    return { url, db }
  }

  test('do not stand in the way of others while they wait for a lock', async () => {
    const { url, db } = await useEmptyDatabase()
    const holder = connect({ connectionString: url })
    const trx = await holder.startTransaction().execute()
    await sql`create table accounts (id text)`.execute(trx)
    const migrating = migrate(db)
    await expect.poll(() => countLockWaits(db), patience).toBe(1)
    // It gives way while the other session still holds the lock.
    await expect.poll(() => countLockWaits(db), patience).toBe(0)
    await trx.rollback().execute()
    expect((await migrating).length).toBeGreaterThan(0)
    await holder.destroy()
  })

  test('of a newer release do not keep this one from starting', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9001_future', 'x')`.execute(database.db)
    onTestFinished(async () => {
      await sql`delete from kysely_migration where name = '9001_future'`.execute(database.db)
    })
    const migrations = await compareMigrations(database.db)
    expect(namesIn(migrations, 'newer')).toEqual(['9001_future'])
    expect(namesIn(migrations, 'pending')).toEqual([])
    expect(await migrate(database.db)).toEqual([])
    const server = await startServer({ ...environment(), LOG_LEVEL: 'warn' }, ['--no-worker'])
    await expect.poll(() => readiness(server), patience).toEqual({ status: 'ok' })
    expect(server.log()).toContain('a newer release has migrated the database')
  })
})

test('delays are by the clock of the database, however wrong that of a worker is', async () => {
  const queue = await openQueue({
    connectionString: database.url,
    jobTimeoutSeconds: 60,
    logger: createLogger('silent'),
    supervise: false,
  })
  const now = Date.now
  Date.now = () => now() - 26 * 3_600_000
  try {
    const data = { deliveryId: 'dlv_clock', attempt: 2 }
    await queue.enqueue(database.db, 'deliver', [{ data, group: 'wh_clock', delayMs: 600_500 }])
  } finally {
    Date.now = now
    await queue.stop()
  }
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from start_after - now())::float8 as seconds from pgboss.job
    where data->>'deliveryId' = 'dlv_clock'`.execute(database.db)
  expect(rows[0]!.seconds).toBeGreaterThan(500)
  expect(rows[0]!.seconds).toBeLessThanOrEqual(600.5)
})

test('a direct URL that leads to another database stops the start: units would be counted there', async () => {
  const name = `ratecard_test_other_${randomBytes(4).toString('hex')}`
  await createDatabase(inject('postgresUrl'), name, inject('templateDatabase'))
  onTestFinished(() => dropDatabase(inject('postgresUrl'), name))
  const { exitCode, stderr } = await ratecard(['serve'], {
    ...environment(),
    DATABASE_DIRECT_URL: urlOfDatabase(inject('postgresUrl'), name),
    PORT: '0',
    ADMIN_PORT: '0',
  })
  expect(stderr).toContain('DATABASE_URL and DATABASE_DIRECT_URL lead to two databases.')
  expect(exitCode).toBe(1)
  const server = await startServer({ ...environment(), DATABASE_DIRECT_URL: database.url }, ['--no-worker'])
  await expect.poll(() => readiness(server), patience).toEqual({ status: 'ok' })
})

test('a server without TLS that is asked for it is told with what to set', async () => {
  for (const command of [['accounts', 'list'], ['serve']]) {
    const { exitCode, stderr } = await ratecard(command, {
      ...environment(),
      DATABASE_URL: `${database.url}?sslmode=require`,
      PORT: '0',
      ADMIN_PORT: '0',
    })
    expect(stderr).toContain('The database speaks no TLS, and its URL asks for it (sslmode)')
    expect(stderr).not.toContain('fault of ours')
    expect(exitCode).toBe(1)
  }
})

test('a certificate that is not trusted is told with what to set', async () => {
  const sockets = new Set<Socket>()
  // PostgreSQL's answer to an SSLRequest, and then TLS with a certificate of its own making.
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, ...selfSignedCertificate })
      secure.on('error', () => undefined)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  const DATABASE_URL = `postgres://ratecard:x@127.0.0.1:${port}/ratecard?sslmode=require`
  for (const command of [['accounts', 'list'], ['serve']]) {
    const { exitCode, stderr } = await ratecard(command, {
      ...environment(),
      DATABASE_URL,
      PORT: '0',
      ADMIN_PORT: '0',
    })
    expect(stderr).toContain('The certificate of the database is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(stderr).toContain('sslrootcert=FILE')
    expect(stderr).not.toContain('fault of ours')
    expect(exitCode).toBe(1)
  }
})
