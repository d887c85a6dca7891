import { expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { authorityFile } from './certificates.ts'
import { createCustomer } from './cast.ts'
import { request } from './client.ts'
import { useDatabase } from './postgres.ts'
import { ratecard, startServer } from './process.ts'
import { isSigned, startReceiver } from './receiver.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'

const database = useDatabase()

it('delivers a published change, signed, within a second', async () => {
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: generateSecretsKey(),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
  }
  const server = await startServer(env)
  const receiver = await startReceiver()
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const secret = 'a secret of sixteen'
  const created = await request(server.url, '/v1/webhooks', {
    key,
    method: 'POST',
    body: { url: `${receiver.url}/hook`, secret },
  })
  expect(created.status).toBe(201)
  writeFileSync(
    '/tmp/ch.json',
    JSON.stringify({
      vendor: 'acme',
      product: 'acme/a',
      modality: 'llm',
      category: 'price_cut',
      severity: 3,
      title: 't',
      summary: 's',
      impact_score: 5,
    }),
  )
  const before = Date.now()
  const out = await ratecard(['changes', 'publish', '/tmp/ch.json', '--json'], env)
  console.log(out, Date.now() - before)
  const t = Date.now()
  const [received] = await receiver.waitFor(1).catch((e) => {
    console.log(server.log())
    throw e
  })
  console.log('after publish', Date.now() - t, received?.headers, received?.alert)
  expect(isSigned(received!, secret)).toBe(true)
  console.log(await ratecard(['deliveries', 'list', '--json'], env))
  console.log(await server.stop(), server.log().slice(-1500))
  await receiver.close()
})
