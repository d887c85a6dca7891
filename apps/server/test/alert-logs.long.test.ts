import { expect, test } from 'vitest'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { soon, useAlerting } from './support/alert-fixtures.ts'
import { findClosedPort } from './support/bad-endpoints.ts'
import { createCustomer } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard, startServer } from './support/process.ts'
import { changeFile } from './support/fixtures.ts'

const database = useDatabase()
const alerting = useAlerting(database)

test('no secret, no body and no answer stands in the log at any level, in metrics or in lists, and no secret where a delivery is shown', async () => {
  const env = alerting.env({
    ...{ LOG_LEVEL: 'trace', SECRETS_KEY: generateSecretsKey(), PUBLIC_URL: '' },
    // One of the endpoints never answers.
    WEBHOOK_TIMEOUT: '1500ms',
  })
  const server = await startServer(env)
  await becomeReady([server])
  const { key } = await createCustomer(database.db, { plan: 'scale' })
  const { receiver } = alerting
  receiver.behave('/fails?token=canary-query', (res) =>
    res.writeHead(500, { 'x-answer': 'canary-header' }).end('canary-answer'),
  )
  receiver.behave('/moves?token=canary-query', (res) =>
    res.writeHead(302, { location: 'https://canary-target.example/' }).end(),
  )
  receiver.behave('/hangs?token=canary-query', () => undefined)
  const urls = [
    ...['/works', '/fails', '/moves', '/hangs'].map((path) => receiver.url + path),
    `https://localhost:${await findClosedPort()}/closed`,
    'https://canary-name.invalid/',
    `${receiver.url.replace('localhost', 'receiver.test')}/unknown`,
  ]
  const ids: string[] = []
  for (const [index, url] of urls.entries()) {
    const body = { url: `${url}?token=canary-query`, secret: `canary-secret-of-${index}` }
    const created = await request(server.url, '/v1/webhooks', { key, method: 'POST', body })
    expect(created.status).toBe(201)
    ids.push((created.body as { data: { id: string } }).data.id)
  }
  await alerting.publish(changeFile({ title: 'canary-title', summary: 'canary-summary', severity: 5 }))
  for (const id of ids) await alerting.settled(id)

  const outputs = [server.log(), await (await fetch(`${server.adminUrl}/metrics`)).text()]
  const { stdout } = await ratecard(['deliveries', 'list', '--json'], env)
  outputs.push(stdout)
  const failed = (JSON.parse(stdout) as { rows: { id: string; state: string }[] }).rows.find(
    ({ state }) => state === 'exhausted',
  )
  outputs.push((await ratecard(['deliveries', 'list'], env)).stdout)
  // What a delivery sent and got is shown to the operator who asks for it (decision 023): all but the secrets.
  for (const format of [[], ['--json']]) {
    const shown = await ratecard(['deliveries', 'show', failed?.id ?? '', ...format], env)
    expect(shown).toMatchObject({ exitCode: 0, stderr: '' })
    expect(shown.stdout).toMatch(/canary-title/)
    for (const secret of ['canary-secret', key, env.SECRETS_KEY]) expect(shown.stdout).not.toContain(secret)
  }
  await expect.poll(() => server.log().match(/delivery attempt/g)?.length ?? 0, soon).toBeGreaterThan(12)
  await server.stop()
  outputs.push(server.log())
  const everything = outputs.join('\n')
  expect(everything).not.toMatch(/canary/)
  expect(everything).not.toContain(key)
  expect(everything).not.toContain(env.SECRETS_KEY)
  // No signature is in them either.
  for (const { headers } of receiver.received)
    expect(everything).not.toContain(String(headers['x-svc-signature']).slice('sha256='.length))
  expect(receiver.received.length).toBeGreaterThan(4)
})
