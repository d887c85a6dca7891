import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { soon, useAlerting } from '../support/alert-fixtures.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { request } from '../support/client.ts'
import { signInOwner } from '../support/dashboard-owner.ts'
import { urlOfDatabase, type TestDatabase } from '../support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from '../support/process.ts'
import { changeFile } from '../support/fixtures.ts'
import { useTwoRoles } from '../support/two-roles.ts'

// One role owns the schema and migrates; the other one serves. An attacker in the server gets a role that can neither
// change the schema nor read what belongs to the PostgreSQL server as a whole.

const server = inject('postgresUrl')
const { name, roles, urlAs } = useTwoRoles()

const env = () => ({
  DATABASE_URL: urlAs(roles.serving),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const migrateAsOwner = () => ratecard(['migrate'], { ...env(), DATABASE_OWNER_URL: urlAs(roles.owner) })

const isReady = async ({ adminUrl }: ServerProcess) => (await fetch(`${adminUrl}/ready`)).ok

describe('an empty database', () => {
  test.each([['serve'], ['migrate'], ['accounts', 'list']])(
    'and the role that serves alone: "%s %s" says who must migrate, and ends',
    async (...words) => {
      const { exitCode, stderr } = await ratecard(words.filter(Boolean), {
        ...env(),
        PORT: '0',
        ADMIN_PORT: '0',
        LOG_LEVEL: 'silent',
      })
      expect(stderr).toBe(
        `Error: The role ${roles.serving} of DATABASE_URL may not bring the schema up to date. Run "ratecard migrate" with DATABASE_OWNER_URL set to the role that owns the database.\n`,
      )
      expect(exitCode).toBe(1)
    },
  )

  test('is made by the owner, with all that the other one needs, as often as one likes and at once', async () => {
    const waits = ratecard(['migrate', '--wait'], env())
    expect(await Promise.race([waits, setTimeout(2_000, 'it waits')])).toBe('it waits')
    const first = await Promise.all([migrateAsOwner(), migrateAsOwner()])
    expect(first.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(2).fill({ exitCode: 0, stderr: '' }),
    )
    expect(await migrateAsOwner()).toMatchObject({ exitCode: 0, stdout: 'The database is up to date.\n' })
    const { exitCode, stderr } = await waits
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('Waiting: the database lacks migrations: 0001_accounts')
  })
})

describe('the role that serves', () => {
  const database = {} as TestDatabase
  beforeAll(async () => {
    await migrateAsOwner()
    database.url = urlAs(roles.serving)
    database.db = connect({ connectionString: database.url })
  })
  afterAll(() => database.db.destroy())

  const forbidden = {
    'make a table': 'create table loot (id int)',
    'make a table that nobody else sees': 'create temporary table loot (id int)',
    'make a schema': 'create schema loot',
    'make a function': "create function loot() returns int language sql as 'select 1'",
    'read the password hashes of the server': 'select rolpassword from pg_authid',
    'read files of the server': "select pg_read_file('postgresql.conf')",
    'run programs on the server': "copy (select 1) to program 'id'",
    'change a table': 'alter table api_keys add column loot text',
    'drop a table': 'drop table prices cascade',
    'empty a table at once': 'truncate prices cascade',
    'stop a trigger': 'alter table prices disable trigger all',
    'replace a function': `create or replace function ratecard_now() returns timestamptz language sql as 'select now()'`,
    'change what has been migrated': 'delete from kysely_migration',
    "drop the queue's tables": 'drop table pgboss.job cascade',
    'become the owner': `set role ${roles.owner}`,
    'give itself more': `grant ${roles.owner} to ${roles.serving}`,
  }
  test.each(Object.entries(forbidden))('may not %s', async (_what, statement) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    onTestFinished(() => client.end())
    // 42501: insufficient_privilege, which covers "must be owner of".
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  describe('is enough', () => {
    const alerting = useAlerting(database)

    test('for the API, its fast path and webhooks, the dashboard, and alerts from publishing to the endpoint', async () => {
      const serving = await startServer({ ...alerting.env({ PUBLIC_URL: '' }), LOG_LEVEL: 'warn' }, [
        '--no-migrate',
      ])
      await expect.poll(() => isReady(serving), soon).toBe(true)

      await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
      const { key, accountId } = await createCustomer(database.db, { plan: 'scale', packUnits: 10 })
      for (let count = 0; count < 3; count += 1) {
        expect((await request(serving.url, '/v1/prices', { key })).status).toBe(200)
      }
      expect((await request(serving.url, '/v1/usage', { key })).status).toBe(200)
      const path = `/hook/roles`
      const url = alerting.receiver.url + path
      const made = await request(serving.url, '/v1/webhooks', {
        key,
        method: 'POST',
        body: { url, secret: 'a secret of sixteen', events: ['change.alert'] },
      })
      expect(made.status).toBe(201)

      const browser = await signInOwner(database.db, serving.url, { plan: 'scale' })
      expect((await browser.post('/keys', { name: 'prod' })).status).toBe(201)
      expect((await browser.get('/keys')).status).toBe(200)
      expect((await browser.get('/audit-log')).status).toBe(200)

      const folder = await mkdtemp(join(tmpdir(), 'ratecard-roles-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = join(folder, 'changes.json')
      await writeFile(file, JSON.stringify([changeFile()]))
      const published = await ratecard(['changes', 'publish', file], alerting.env())
      expect(published).toMatchObject({ exitCode: 0, stderr: '1 delivery queued.\n' })
      await alerting.receiver.waitFor(1, { wanted: (received) => received.path === path })

      expect(accountId).toMatch(/^acct_/)
      expect(await serving.stop()).toBe(0)
      // Nothing was refused on the way, and no message asks for another role.
      expect(serving.log()).toBe('')
    })

    test('for the commands of an operator, a feed and a worker of its own', async () => {
      const run = async (...words: string[]) => {
        const { exitCode, stderr } = await ratecard(words, alerting.env())
        expect(exitCode, stderr).toBe(0)
      }
      await run('accounts', 'create', '--name', 'Acme')
      await run('feed', 'run', 'genai-prices')
      await run('ledger', 'verify')
      await run('secrets', 'rotate')
      await run('migrate', '--status')
      const worker = await startServer({ ...alerting.env(), LOG_LEVEL: 'warn' }, [], undefined, 'worker')
      expect(await worker.stop()).toBe(0)
      expect(worker.log()).toBe('')
    })
  })
})

describe('a superuser in DATABASE_URL', () => {
  test('serves, and the log says what to do instead', async () => {
    const serving = await startServer({ ...env(), DATABASE_URL: urlOfDatabase(server, name) }, [
      '--no-worker',
    ])
    await expect.poll(() => isReady(serving), soon).toBe(true)
    const warnings = serving
      .log()
      .split('\n')
      .filter((line) => line.includes('superuser'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({
      level: 40,
      msg: expect.stringMatching(/DATABASE_OWNER_URL.*docs\/operations\.md/) as string,
    })
    expect(await serving.stop()).toBe(0)
  })
})
