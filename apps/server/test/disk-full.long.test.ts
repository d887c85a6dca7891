import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady, patience } from './support/load.ts'
import { startServer } from './support/process.ts'

// A database whose disk is full still answers, and says of itself that it takes writes.

const folder = await mkdtemp(join(tmpdir(), 'ratecard-full-'))
const mounted = mount()
const reason = mounted ? '' : ' (skipped: a small disk can be mounted by root alone)'

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!mounted)(`a full disk is told from a database that is well${reason}`, async () => {
  const database = await openEmbedded(folder, { settings: ['fsync=off'] })
  onTestFinished(async () => {
    await database.release()
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true, force: true })
  })
  await chmod(folder, 0o755)
  const db = connect({ connectionString: database.connectionString, onIdleError: () => undefined })
  onTestFinished(() => db.destroy())
  await migrate(db)
  await storePrices(db, [priceRecord({ resource_id: 'acme:1' })])
  const server = await startServer(
    { DATABASE_URL: database.connectionString, SECRETS_KEY: Buffer.alloc(32).toString('base64') },
    ['--no-worker'],
  )
  await becomeReady([server])
  const customers: Customer[] = []
  for (let count = 0; count < 400; count += 1) customers.push(await createCustomer(db, { plan: 'scale' }))
  let asked = 0
  /** By a key that asks for the first time: its counter needs a row. */
  const ask = async () => (await request(server.url, '/v1/prices', customers[(asked += 1)])).status
  const seen = async (path: string) => {
    const answer = await fetch(server.adminUrl + path)
    return { status: answer.status, body: await answer.text() }
  }
  expect(await ask()).toBe(200)
  await expect.poll(() => seen('/database'), patience).toMatchObject({ status: 200 })

  const { bsize, bavail } = await statfs(folder)
  await writeFile(join(folder, 'filler'), Buffer.alloc(bsize * bavail)).catch(() => undefined)
  await expect.poll(ask, patience).toBe(503)
  await expect
    .poll(() => seen('/ready'), patience)
    .toEqual({
      status: 200,
      body: JSON.stringify({
        status: 'degraded',
        reason: 'the database takes no writes: its disk is full',
      }),
    })
  expect((await seen('/database')).status).toBe(503)
  expect((await seen('/metrics')).body).toMatch(/^ratecard_database_up 0$/m)

  await rm(join(folder, 'filler'))
  await expect.poll(ask, patience).toBe(200)
  await expect.poll(() => seen('/ready'), patience).toEqual({ status: 200, body: '{"status":"ok"}' })
  await expect.poll(() => seen('/database'), patience).toMatchObject({ status: 200 })
  // However many requests it refused.
  expect(server.log().match(/"service unavailable"/g)?.length).toBeLessThan(30)
})
