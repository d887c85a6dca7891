import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { readConfig } from '../src/platform/config.ts'
import { listForgettings } from '../src/process/retention.ts'
import { createCustomer, priceRecord, storePrices } from '../test/support/actors.ts'
import { authorityFile } from '../test/support/certificates.ts'
import { request } from '../test/support/client.ts'
import { signInOwner } from '../test/support/dashboard-owner.ts'
import { engines, startEngine } from '../test/support/engines.ts'
import { changeFile } from '../test/support/fixtures.ts'
import { becomeReady, countStatuses } from '../test/support/load.ts'
import { ratecard, startServer } from '../test/support/process.ts'
import { startReceiver } from '../test/support/receiver.ts'

// The whole product once on each major version of PostgreSQL before the embedded one, which all other tests run on:
// schema and queue, pages, counting, packs, the dashboard, a source, alerts, and what is forgotten.

for (const { major, folder } of engines) {
  const reason = folder === null ? ' (skipped: it is not installed)' : ''
  test.skipIf(folder === null)(`PostgreSQL ${major}${reason}`, async () => {
    const ends: (() => Promise<void>)[] = []
    const atEnd = (end: () => Promise<void>) => void ends.push(end)
    onTestFinished(async () => {
      for (const end of ends.reverse()) await end()
    })
    const url = await startEngine(folder!, atEnd)
    const db = connect({ connectionString: url })
    atEnd(() => db.destroy())
    const { rows } = await sql<{ v: string }>`select current_setting('server_version') as v`.execute(db)
    expect(rows[0]!.v).toMatch(new RegExp(`^${major}\\.`))
    const receiver = await startReceiver()
    atEnd(() => receiver.close())
    const env = {
      DATABASE_URL: url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: authorityFile,
    }
    const server = await startServer(env, [], atEnd)
    await becomeReady([server])
    await storePrices(db, [priceRecord({ resource_id: 'acme:alpha' })])

    // A free key to its last unit, then a pack; each number once.
    const { key } = await createCustomer(db, { packUnits: 20 })
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => request(server.url, '/v1/prices?vendor=acme', { key })),
    )
    expect(countStatuses(answers)).toEqual({ 200: 120, 429: 30 })

    const browser = await signInOwner(db, server.url, { plan: 'developer', email: 'ada@customer.example' })
    for (const path of ['/me', '/overview', '/keys', '/requests', '/usage'])
      expect((await browser.get(path)).status, path).toBe(200)

    const paying = await createCustomer(db, { plan: 'scale' })
    const body = { url: `${receiver.url}/hook`, events: ['*'], secret: 'sixteen-or-more-characters' }
    const created = await request(server.url, '/v1/webhooks', { key: paying.key, method: 'POST', body })
    expect(created.status).toBe(201)
    const files = await mkdtemp(join(tmpdir(), 'ratecard-engine-files-'))
    atEnd(() => rm(files, { recursive: true }))
    await writeFile(
      join(files, 'changes.json'),
      JSON.stringify([changeFile({ title: 'On an older engine' })]),
    )
    await writeFile(join(files, 'prices.csv'), 'resource_id,input_per_mtok,output_per_mtok\nacme:beta,1,2\n')
    for (const args of [
      ['changes', 'publish', join(files, 'changes.json')],
      ['feed', 'run', 'own-csv', '--file', join(files, 'prices.csv')],
    ]) {
      const { exitCode, stderr } = await ratecard(args, env)
      expect({ args, exitCode, stderr }).toMatchObject({ exitCode: 0 })
    }
    await receiver.waitFor(1, { wanted: (received) => received.path === '/hook' })
    expect((await request(server.url, '/v1/prices', { key: paying.key })).body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ resource_id: 'acme:beta' })]) as unknown,
    })

    for (const { table, step } of listForgettings(readConfig({})))
      expect(await db.transaction().execute(step), table).toBe(0)
    expect((await verifyLedger(db)).differences).toEqual([])
    expect(server.log()).not.toMatch(/"level":(?:50|60)|"level":"(?:error|fatal)"/)
  })
}
